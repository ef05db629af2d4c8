//! `Isa`: which instruction set the kernels use. It is detected once, kept as a value and passed on; there
//! is no global switch, so two models in one process can use different ones (tests do).

use crate::KernelError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Reference,
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// An instruction set that this processor has. The field is private because having an `Isa` is the proof
/// that the processor was asked, which the SIMD kernels' safety rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Isa(Kind);

impl Isa {
    /// Plain Rust, right on every processor.
    #[must_use]
    pub fn portable() -> Self {
        Self(Kind::Portable)
    }

    /// Plain Rust that multiplies decoded weights with activations as they are, not quantised to 8 bits: slow,
    /// and what a model's logits are without that rounding. For tests and for finding faults.
    #[must_use]
    pub fn reference() -> Self {
        Self(Kind::Reference)
    }

    /// AVX2 with FMA and F16C, where the processor has all three.
    #[must_use]
    pub fn avx2() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
        {
            return Some(Self(Kind::Avx2));
        }
        None
    }

    /// AVX-VNNI besides AVX2, where the processor has it: Intel's laptops since Alder Lake, AMD's since Zen 5.
    #[must_use]
    pub fn avx_vnni() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if Self::avx2().is_some() && is_x86_feature_detected!("avxvnni") {
            return Some(Self(Kind::AvxVnni));
        }
        None
    }

    /// AVX-512 with VNNI besides AVX2, where the processor has all of it: servers since Ice Lake, desktops
    /// and laptops since Zen 4.
    #[must_use]
    pub fn avx512() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if Self::avx2().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni")
        {
            return Some(Self(Kind::Avx512));
        }
        None
    }

    /// Every set that this processor has, the slowest first; not the reference.
    #[must_use]
    pub fn all() -> Vec<Self> {
        [Some(Self::portable()), Self::avx2(), Self::avx_vnni(), Self::avx512()]
            .into_iter()
            .flatten()
            .collect()
    }

    /// The fastest that this processor has.
    #[must_use]
    pub fn best() -> Self {
        Self::all().pop().unwrap_or_else(Self::portable)
    }

    /// The one with this name, as the variable `NEARSIDE_ISA` gives it; the best for an empty name.
    ///
    /// # Errors
    /// When the name is unknown or the processor lacks the set.
    pub fn named(name: &str) -> Result<Self, KernelError> {
        match name {
            "" | "auto" => Ok(Self::best()),
            "portable" => Ok(Self::portable()),
            "reference" => Ok(Self::reference()),
            "avx2" => Self::avx2().ok_or_else(|| KernelError::MissingIsa(name.to_owned())),
            "avxvnni" => Self::avx_vnni().ok_or_else(|| KernelError::MissingIsa(name.to_owned())),
            "avx512" => Self::avx512().ok_or_else(|| KernelError::MissingIsa(name.to_owned())),
            _ => Err(KernelError::UnknownIsa(name.to_owned())),
        }
    }

    /// The name that `named` takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Reference => "reference",
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::AvxVnni => "avxvnni",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        }
    }

    /// Whether activations stay as they are.
    pub(crate) fn is_reference(self) -> bool {
        self.0 == Kind::Reference
    }

    /// Whether the AVX2 kernels may be called.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn has_avx2(self) -> bool {
        matches!(self.0, Kind::Avx2 | Kind::AvxVnni | Kind::Avx512)
    }

    /// Whether the AVX2 kernels may use AVX-VNNI.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn has_avx_vnni(self) -> bool {
        self.0 == Kind::AvxVnni
    }

    /// Whether the AVX-512 kernels may be called.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn has_avx512(self) -> bool {
        self.0 == Kind::Avx512
    }

    /// Groups of eight rows that the product's kernel takes together.
    pub(crate) fn groups_at_once(self) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => 2,
            _ => 1,
        }
    }

    /// Features of this processor that our kernels use or would use, for `nearside devices`.
    #[must_use]
    pub fn processor_features() -> Vec<String> {
        #[cfg(target_arch = "x86_64")]
        let known = [
            ("avx2", is_x86_feature_detected!("avx2")),
            ("fma", is_x86_feature_detected!("fma")),
            ("f16c", is_x86_feature_detected!("f16c")),
            ("avx512f", is_x86_feature_detected!("avx512f")),
            ("avx512vnni", is_x86_feature_detected!("avx512vnni")),
            ("avxvnni", is_x86_feature_detected!("avxvnni")),
        ];
        #[cfg(target_arch = "aarch64")]
        let known = [
            ("neon", std::arch::is_aarch64_feature_detected!("neon")),
            ("dotprod", std::arch::is_aarch64_feature_detected!("dotprod")),
            ("i8mm", std::arch::is_aarch64_feature_detected!("i8mm")),
        ];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let known: [(&str, bool); 0] = [];
        known.into_iter().filter(|(_, there)| *there).map(|(name, _)| name.to_owned()).collect()
    }
}
