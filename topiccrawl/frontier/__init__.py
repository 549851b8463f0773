"""What to fetch next: one contract and its backends."""
