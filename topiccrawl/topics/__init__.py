"""Topics: their folders, finding and learning them, relevance, classification, new folders."""
