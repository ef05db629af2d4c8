//! Routes: where a request runs, why, and what was ruled out.

use crate::EntityType;

wire! {
    /// What the user asks for.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum RouteChoice {
        #[default]
        Auto,
        Local,
        Cloud,
    }

    /// Where it runs: the near side, the far side, or both.
    #[derive(Copy, Eq, Hash)]
    #[serde(rename_all = "snake_case")]
    pub enum Route {
        Local,
        Cloud,
        Joint,
    }

    /// A route that was considered and ruled out.
    pub struct Discarded {
        pub route: Route,
        pub reason: Reason,
    }

    /// What the router decided. `score` is how much the request wants the cloud, 0 to 1.
    pub struct Decision {
        pub chosen: Option<Route>,
        pub score: f32,
        pub reasons: Vec<Reason>,
        pub discarded: Vec<Discarded>,
    }
}

told! {
    /// Why a route was taken or ruled out.
    Reason, why: Why {
        #[error("No local model is installed; fetch one with `nearside models fetch`.")]
        NoLocalModel,
        #[error("The request needs {needed} tokens, and {model} holds {holds}.")]
        TooLongForLocal { needed: u64, model: String, holds: u64 },
        #[error("The request needs {needed} tokens, and {model} holds {holds}.")]
        TooLongForCloud { needed: u64, model: String, holds: u64 },
        #[error("Local-only mode is on: nothing leaves this machine.")]
        LocalOnly,
        #[error("Speech is only ever transcribed on this machine.")]
        LocalTask,
        #[error("No cloud model is set up; add one in the settings.")]
        NoProvider,
        #[error("The network is down.")]
        Offline,
        #[error("It contains {}, which your policy keeps on this machine.", .entity.name())]
        Sensitive { entity: EntityType },
        #[error("This kind of task is not divided between both ends.")]
        NotDivisible,
        /// The user's choice is impossible; the reason against it follows.
        #[error("You chose {}, and it is not possible: {because}", in_words(*.choice))]
        Refused { choice: RouteChoice, because: String },
        #[error("Nothing can do it. {because}")]
        Impossible { because: String },
        #[error("You chose this machine.")]
        UserChoseLocal,
        #[error("You chose the cloud.")]
        UserChoseCloud,
        #[error("It looks hard for the local model (score {score:.2}, from {threshold:.2} on the cloud).")]
        HardForLocal { score: f32, threshold: f32 },
        #[error("The local model should do (score {score:.2}, below {threshold:.2}).")]
        LocalSuffices { score: f32, threshold: f32 },
        #[error("Both ends together do it, and less leaves this machine.")]
        JointSuffices,
        #[error("You kept it on this machine.")]
        KeptLocal,
        #[error("{because}")]
        CloudUnreachable { because: String },
    }
}

fn in_words(choice: RouteChoice) -> &'static str {
    match choice {
        RouteChoice::Local => "this machine",
        RouteChoice::Cloud => "the cloud",
        RouteChoice::Auto => "the best place",
    }
}
