"""URLs: canonical form and its rules, learned parameters, traps, families, the filter of links."""
