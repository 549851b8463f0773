"""Loopback servers and proxies that serve generated and stored webs."""
