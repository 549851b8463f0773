"""The frontier backend on a Redis server."""
