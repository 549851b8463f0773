"""Topics: read, find, learn, classify and make them."""
