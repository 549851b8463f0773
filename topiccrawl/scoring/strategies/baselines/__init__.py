"""Strategies from the literature that the project's own strategies are compared with."""
