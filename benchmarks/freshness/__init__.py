"""Replays of change histories through the policies of ``topiccrawl.freshness``."""
