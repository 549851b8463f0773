"""Everything that a report shows: one pass over a store, counted in bounded memory."""
