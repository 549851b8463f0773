"""Where pages and outcomes are kept: one contract, SQLite and MongoDB behind it."""
