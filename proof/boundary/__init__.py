"""Servers that are killed just when triggers fall due: no instant may get lost, and none may come twice."""
