"""URLs: canonical form and its rules, hosts, learned parameters, traps, families, the URL filter."""
