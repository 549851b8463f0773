"""Errors that stop a run before it starts, written for the person who must act."""

from __future__ import annotations


class ConfigurationError(ValueError):
    """A setting, argument or topic file is wrong: the run must not start.

    The message names where the value stands (setting, argument, or file and key), the rule it
    breaks, and the value: ``"TOPICCRAWL_IPAGERANK_EVERY_PAGES must be >= 1, got 0"``.
    """
