//! The user's own list: what is always hidden from a cloud, and what never is. Content: it lies sealed.

use crate::{EntityType, UserText};

wire! {
    /// One thing that is always hidden.
    #[derive(Eq)]
    pub struct OwnEntry {
        #[serde(rename = "type")]
        pub kind: EntityType,
        /// Its names, which stand for one entity: 张伟, Zhang Wei, 张总.
        pub names: Vec<UserText>,
    }

    /// What the user always hides, and what never.
    #[derive(Eq, Default)]
    #[serde(default)]
    pub struct OwnList {
        pub hide: Vec<OwnEntry>,
        pub keep: Vec<UserText>,
    }
}
