"""Pages between downloader and spider: read, in other processes where that is costly, and their parts."""
