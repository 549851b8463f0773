"""Text to terms: normalisation, segmentation, stop words, vocabularies, idf (pure)."""
