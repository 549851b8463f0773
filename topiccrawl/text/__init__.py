"""Text to terms: normalization, segmentation, stop words, vocabularies, idf (pure)."""
