"""The console in a real browser, before real servers and executors."""
