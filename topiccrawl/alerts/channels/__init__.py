"""Channels: from a message to the bytes that a mail server, a webhook or a robot accepts."""
