"""Link and page scores: pure computation, without crawler, HTML or database."""
