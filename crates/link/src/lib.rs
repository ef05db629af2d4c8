//! AIP: the device-cloud protocol, sans-IO, both ends.
