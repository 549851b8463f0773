"""The user's judgments of pages, and bringing the store to new judgments."""
