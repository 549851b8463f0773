"""The mathematics of link and page scores: pure, without crawler, HTML or database."""
