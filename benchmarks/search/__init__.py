"""Benchmark of the search entrance: local engines over stored webs, ``python -m benchmarks.search``."""
