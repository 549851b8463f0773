"""Words of a topic from texts: new words, graded words, and what a user's decisions teach."""
