"""Frontier, the queue of links to fetch: one contract and its backends."""
