"""What a crawl writes to the store, and what is deleted from it."""
