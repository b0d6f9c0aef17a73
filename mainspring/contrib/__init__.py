"""Mainspring inside other people's frameworks; each module needs the framework that it is named after."""
