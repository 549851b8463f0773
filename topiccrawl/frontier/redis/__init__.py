"""The frontier on a Redis server."""
