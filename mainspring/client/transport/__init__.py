"""Requests on the wire: servers, HTTP, versions and problems."""
