"""What the vocabulary builder finds: new words of a segmented corpus, and words of known topics."""
