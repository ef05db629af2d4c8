//! `conversations`: what is stored.

use nearside_engine::attach::Request;
use nearside_types::ConversationId;

use crate::Outcome;
use crate::arguments::{Common, Conversations};

pub(crate) fn run(common: &Common, conversations: Conversations) -> Outcome {
    match conversations {
        Conversations::List { search } => {
            let request = Request::Conversations { query: search.map(Into::into) };
            let value = super::call(common, request)?;
            super::show(common, &value, |value| {
                let rows = super::items(value).iter().map(|row| {
                    vec![
                        super::word(&row["id"]),
                        super::word(&row["title"]),
                        super::word(&row["snippet"]),
                    ]
                });
                super::table(&rows.collect::<Vec<_>>())
            })
        }
        Conversations::Show { id } => {
            let value = super::call(common, Request::Conversation { id: ConversationId(id) })?;
            super::show(common, &value, |value| {
                let messages = value["messages"].as_array().cloned().unwrap_or_default();
                let lines = messages.iter().map(|message| {
                    format!(
                        "{}: {}\n\n",
                        super::word(&message["role"]),
                        super::word(&message["content"])
                    )
                });
                lines.collect()
            })
        }
        Conversations::Delete { id } => {
            let request = Request::DeleteConversation { id: ConversationId(id) };
            let value = super::call(common, request)?;
            super::show(common, &value, |_| "Deleted.".to_owned())
        }
    }
}
