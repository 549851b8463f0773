"""Metrics, statistics, tables and HTML pages of an evaluation."""
