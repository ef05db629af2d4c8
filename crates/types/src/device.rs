//! Devices as `nearside devices` lists them.

wire! {
    #[derive(Copy, Eq, Hash)]
    #[serde(rename_all = "snake_case")]
    pub enum DeviceKind {
        Cpu,
        DiscreteGpu,
        IntegratedGpu,
        /// A software adapter: slower than the CPU path, never chosen by itself.
        SoftwareGpu,
        Npu,
    }

    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum DeviceChoice {
        #[default]
        Auto,
        Cpu,
        Gpu,
    }

    #[derive(Eq)]
    pub struct Adapter {
        pub name: String,
        pub kind: DeviceKind,
        /// `flex`, `vulkan`, `metal`, `dx12`, or `none` where nothing here can use it.
        pub backend: String,
        /// Bytes, where known.
        pub memory: Option<u64>,
        /// Instruction sets or adapter features that our kernels look at.
        pub features: Vec<String>,
        pub chosen: bool,
        pub why: String,
    }
}
