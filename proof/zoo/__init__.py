"""Real bugs of schedulers, put into this one on purpose: its checks must catch every one of them."""
