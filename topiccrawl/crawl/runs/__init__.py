"""The state of running crawls in a folder beside their queue: who crawls, how far, and what is asked for."""
