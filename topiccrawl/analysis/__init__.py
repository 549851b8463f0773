"""One page seen through one topic: terms, relevance and link features, each computed once."""
