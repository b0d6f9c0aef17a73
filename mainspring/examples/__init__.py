"""Apps to try Mainspring with."""
