//! Composes: conversations, tasks, jobs, the local socket.
