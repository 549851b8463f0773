"""The crawl journal: what the workers of one topic share, and what a run takes over from the previous one."""
