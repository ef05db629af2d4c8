//! Routes: where a request runs, why, and what was ruled out.

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

    /// A reason with a stable word (for translation and tests) and an English sentence.
    #[derive(Eq)]
    pub struct Reason {
        pub code: String,
        pub text: String,
    }

    /// A route that was considered and ruled out.
    #[derive(Eq)]
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

impl Reason {
    #[must_use]
    pub fn new(code: &str, text: impl Into<String>) -> Self {
        Self { code: code.to_owned(), text: text.into() }
    }
}
