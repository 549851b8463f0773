"""Analysis of one page for one topic: terms, relevance and link features, each computed once."""
