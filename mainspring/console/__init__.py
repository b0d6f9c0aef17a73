"""The browser's files; they talk only to the API over HTTP."""
