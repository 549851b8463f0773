"""Relevance judgments and the reference orders that strategies are measured against."""
