"""What runs handlers on other people's machines; never imports anything of the server."""
