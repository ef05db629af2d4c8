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
        pub why: Standing,
    }
}

told! {
    /// Why a device is used, or is not.
    Standing, what: DeviceReason + Eq {
        #[error("no GPU path is built into this version, so models run on the CPU")]
        NoGpuBuilt,
        #[error("asked for")]
        AskedFor,
        #[error("no GPU with a working driver was found, so models run on the CPU")]
        NoGpuFound,
        #[error("a GPU was asked for, but none with a working driver was found; models run on the CPU")]
        GpuNotFound,
        #[error("asked for; it runs on the processor and is slow")]
        SlowAskedFor,
        #[error("the best GPU of this machine")]
        BestGpu,
        #[error("nothing in this version runs models on it")]
        NpuUnused,
        #[error("a GPU was found")]
        GpuFound,
        #[error("the CPU was asked for")]
        CpuAskedFor,
        #[error("it is a rasteriser on the processor, slower than the CPU path")]
        Rasteriser,
        #[error("another GPU is better suited")]
        OtherGpu,
    }
}
