"""Loopback proxies that serve generated and stored webs under their own host names."""
