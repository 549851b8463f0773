"""From the parameters of a request to a query of the store, and searches that users keep."""
