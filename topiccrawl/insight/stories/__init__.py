"""Stories and events: lists, time lines, spread, relations of the named, and drawings of both."""
