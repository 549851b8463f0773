"""Stories and events for their views, computed in the background and kept."""
