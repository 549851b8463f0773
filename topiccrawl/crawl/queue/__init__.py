"""The links of a crawl that wait: their queue, their order, and what becomes of a link that was taken out."""
