//! A server that is started for a run: its process group, its readiness, its end.
