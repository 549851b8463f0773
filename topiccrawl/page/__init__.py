"""Analysis of one fetched page: decoding, links, title, body, publication date, by-line."""
