"""Stories: the copies of one text, who published it first and who took it from whom, and events."""
