"""The requests of a crawl: what they carry, why they are refused, and what their failures mean."""
