"""Storage of pages and outcomes: one contract, with SQLite and MongoDB as backends."""
