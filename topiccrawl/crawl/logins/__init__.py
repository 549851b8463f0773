"""Sessions of one crawl: log in, keep secrets out of files and logs, notice and renew lost sessions."""
