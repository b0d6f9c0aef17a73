"""Answers that are none."""


class ResponseError(Exception):
    """The bytes that came are no response that HTTP/1.1 allows, or one that is larger than a client takes."""


class NotHttpError(ResponseError):
    """The other side speaks something else."""


class NoAnswerError(ConnectionError):
    """The connection ended before the first byte of a response."""


class BrokenOffError(ConnectionError):
    """The connection ended within a response."""
