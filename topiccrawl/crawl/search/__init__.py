"""The search entrance of a crawl: asks engines, and turns what they find into sources."""
