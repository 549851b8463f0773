"""The store in MongoDB."""
