"""Warnings: rules on a collection and its crawls, and the channels that carry messages."""
