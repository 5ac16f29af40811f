//! Reports: each reads the events of a run and writes them for one kind of reader. None decides anything.
