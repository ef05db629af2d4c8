//! `own-list`: what is always hidden from a cloud, and what never is. The engine says what a good list is.

use nearside_engine::attach::Request;
use nearside_types::{EntityType, Failure, OwnEntry, OwnList, UserText};

use crate::Outcome;
use crate::arguments::{self, Common};
use crate::{interrupt, place};

pub(crate) fn run(common: &Common, command: arguments::OwnList) -> Outcome {
    use arguments::OwnList::{Hide, Keep, Remove, Show};
    // One session for both calls: a passphrase on standard input can be read once.
    let session = place::session(common)?;
    let cancel = interrupt::cancel();
    let call = |request| session.call(request, &cancel, &mut |_| {});
    let mut list: OwnList = read(call(Request::OwnList)?)?;
    match command {
        Show => return show(common, &list),
        Hide { names, kind } => {
            let kind = kind_named(&kind)?;
            let names = texts(names);
            take_off(&mut list, &names);
            list.hide.push(OwnEntry { kind, names });
        }
        Keep { names } => {
            let names = texts(names);
            take_off(&mut list, &names);
            list.keep.extend(names);
        }
        Remove { names } => {
            let before = list.clone();
            take_off(&mut list, &texts(names));
            if list == before {
                return Err(Failure::not_found(
                    "None of these is on your list; `nearside own-list show` shows it.",
                ));
            }
        }
    }
    show(common, &read(call(Request::SetOwnList { list: Box::new(list) })?)?)
}

fn read(value: serde_json::Value) -> Result<OwnList, Failure> {
    serde_json::from_value(value)
        .map_err(|_| Failure::internal("The list came back in a form that is not known."))
}

fn texts(names: Vec<String>) -> Vec<UserText> {
    names.into_iter().map(UserText::from).collect()
}

/// The last wish for a name holds, whatever the one before was.
fn take_off(list: &mut OwnList, names: &[UserText]) {
    let same =
        |a: &UserText| names.iter().any(|b| a.trim().to_lowercase() == b.trim().to_lowercase());
    list.hide.iter_mut().for_each(|entry| entry.names.retain(|name| !same(name)));
    list.keep.retain(|name| !same(name));
}

fn kind_named(name: &str) -> Result<EntityType, Failure> {
    let known = || EntityType::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
    EntityType::ALL
        .into_iter()
        .find(|kind| kind.name().eq_ignore_ascii_case(name.trim()))
        .ok_or_else(|| Failure::usage(format!("This is not a type; the types are {}.", known())))
}

fn show(common: &Common, list: &OwnList) -> Outcome {
    super::show(common, &super::summarize::value(list)?, |_| {
        let joined = |names: &[UserText]| {
            names.iter().map(|name| name.0.clone()).collect::<Vec<_>>().join(", ")
        };
        let hidden = list.hide.iter().map(|entry| {
            vec!["hide".to_owned(), entry.kind.name().to_owned(), joined(&entry.names)]
        });
        let kept =
            list.keep.iter().map(|name| vec!["keep".to_owned(), String::new(), name.0.clone()]);
        let rows: Vec<_> = hidden.chain(kept).collect();
        if rows.is_empty() { "Your list is empty.".to_owned() } else { super::table(&rows) }
    })
}
