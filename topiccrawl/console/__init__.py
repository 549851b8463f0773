"""The web console of a store: views of crawls and collections, with links that stay."""
