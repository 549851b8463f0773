"""The crawls of a console: which run, how they went, and starts of further ones."""
