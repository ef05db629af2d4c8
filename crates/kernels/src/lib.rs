//! Block-quantised matrix products for burn: CPU SIMD today, CubeCL to come.
