//! The vocabulary of Nearside: ids, messages, routes, spans, settings, failures, and the traits through
//! which sibling crates meet without importing each other.
//!
//! It does no input or output, starts no thread, and knows neither tokio nor Tauri. Everything that
//! crosses a boundary (command line JSON, window bindings, local socket) is declared here once.

/// Gives every type of the wire the same derives, so that none is forgotten.
macro_rules! wire {
    ($($item:item)*) => {$(
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        $item
    )*};
}

/// Declares a closed list of things to tell, and the struct that carries one on the wire as
/// `{"code": …, figures…, "text": …}`.
macro_rules! told {
    ($(#[$doc:meta])* $Told:ident, $field:ident: $List:ident $(+ $Eq:ident)? { $($body:tt)* }) => {
        wire! {
            $(#[$doc])*
            $(#[derive($Eq)])?
            pub struct $Told {
                #[serde(flatten)]
                pub $field: $List,
                /// In English.
                pub text: String,
            }

            /// The code and its figures.
            #[derive(thiserror::Error $(, $Eq)?)]
            #[serde(tag = "code", rename_all = "snake_case")]
            pub enum $List { $($body)* }
        }

        impl From<$List> for $Told {
            fn from($field: $List) -> Self {
                let text = $field.to_string();
                Self { $field, text }
            }
        }
    };
}
mod answer;
mod app;
mod cancel;
mod cloud;
mod conversation;
mod device;
mod document;
mod entity;
mod event;
mod failure;
mod ids;
mod ledger;
mod library;
mod model;
mod notice;
mod preview;
mod route;
mod settings;
mod text;
mod traits;
mod warning;

pub use answer::*;
pub use app::*;
pub use cancel::*;
pub use cloud::*;
pub use conversation::*;
pub use device::*;
pub use document::*;
pub use entity::*;
pub use event::*;
pub use failure::*;
pub use ids::*;
pub use ledger::*;
pub use library::*;
pub use model::*;
pub use notice::*;
pub use preview::*;
pub use route::*;
pub use settings::*;
pub use text::*;
pub use traits::*;
pub use warning::*;
