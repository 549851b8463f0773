"""A crawl of a known web a part of whose answers fail: where does every address end?"""
