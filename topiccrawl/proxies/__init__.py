"""Which proxy a request takes: lists and pools of proxies, their health and their rests."""
