//! Models: what there is, what is installed, verification, versions, conversion. No sockets.
