"""Real crawls of stored webs behind a replay proxy."""
