"""Logins described as data: forms, JSON, HTTP basic, redirects, exported cookies; pure."""
