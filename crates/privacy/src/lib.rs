//! Detect, pseudonymise, restore; the gate and the type Outbound.
