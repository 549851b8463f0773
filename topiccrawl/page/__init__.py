"""One fetched page: decoding, links and their metadata, title, body, publish time."""
