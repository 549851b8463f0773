"""Categories of a topic: which pages belong to which, and how many there are."""
