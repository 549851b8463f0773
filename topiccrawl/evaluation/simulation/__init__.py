"""Simulated crawls of stored webs, without HTTP."""
