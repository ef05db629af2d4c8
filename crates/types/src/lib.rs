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
///
/// It is also stored with messages and documents, so reading never fails for what another version wrote: a
/// bare sentence, or a code that this version does not know or knows with other figures, keeps its sentence
/// under the code `earlier`.
macro_rules! told {
    ($(#[$doc:meta])* $Told:ident, $field:ident: $List:ident $(+ $Eq:ident)? { $($body:tt)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        $(#[derive($Eq)])?
        pub struct $Told {
            #[serde(flatten)]
            pub $field: $List,
            /// In English.
            pub text: String,
        }

        wire! {
            /// The code and its figures.
            #[derive(thiserror::Error $(, $Eq)?)]
            #[serde(tag = "code", rename_all = "snake_case")]
            pub enum $List {
                $($body)*
                /// Stored by another version; only its sentence is known.
                #[error("said by another version")]
                Earlier,
            }
        }

        impl<'de> serde::Deserialize<'de> for $Told {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                #[derive(serde::Deserialize)]
                #[serde(untagged)]
                enum Stored {
                    Known {
                        #[serde(flatten)]
                        told: $List,
                        text: String,
                    },
                    Coded { text: String },
                    Sentence(String),
                }
                Ok(match Stored::deserialize(from)? {
                    Stored::Known { told, text } => Self { $field: told, text },
                    Stored::Coded { text } | Stored::Sentence(text) => {
                        Self { $field: $List::Earlier, text }
                    }
                })
            }
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
mod generation;
mod ids;
mod ledger;
mod library;
mod model;
mod notice;
mod own_list;
mod preview;
mod recognition;
mod route;
mod settings;
mod text;
mod traits;
mod transcript;
mod transcript_text;
mod voice;
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
pub use generation::*;
pub use ids::*;
pub use ledger::*;
pub use library::*;
pub use model::*;
pub use notice::*;
pub use own_list::*;
pub use preview::*;
pub use recognition::*;
pub use route::*;
pub use settings::*;
pub use text::*;
pub use traits::*;
pub use transcript::*;
pub use voice::*;
pub use warning::*;
