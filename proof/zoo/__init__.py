"""Real bugs of schedulers, put into this one on purpose: whoever checks it must catch every one of them."""
