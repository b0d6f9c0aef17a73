"""The heads of answers, as they come out of a real socket."""

import socket
from http.client import HTTPException, LineTooLong, RemoteDisconnected

import pytest

from mainspring.client.plain_response import FIELDS_MAX, LINE_MAX, PlainResponse
from mainspring.client.plain_transport import head_fields


def answer(sent: bytes, *, method: str = "GET") -> PlainResponse:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(sent)
        theirs.shutdown(socket.SHUT_WR)
        response = PlainResponse(ours, method=method)
        response.begin()
        return response


def test_a_body_of_a_given_length_leaves_the_connection_open() -> None:
    response = answer(b'HTTP/1.1 201 Created\r\nContent-Length: 2\r\nEtag:  "3" \r\n\r\n{}the next answer')

    assert (response.status, response.reason, response.will_close) == (201, "Created", False)
    assert response.headers.get("ETag") == '"3"'
    assert response.headers.get("other") is None
    assert response.read() == b"{}"


def test_a_body_in_chunks_is_put_together() -> None:
    response = answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")

    assert not response.will_close
    assert response.read() == b"abc"


@pytest.mark.parametrize("head", [b"HTTP/1.0 200 OK", b"HTTP/1.1 200 OK\r\nConnection: close", b"HTTP/1.1 200 OK"])
def test_a_body_without_a_length_ends_with_the_connection(head: bytes) -> None:
    response = answer(head + b"\r\n\r\nall there is")

    assert response.will_close
    assert response.read() == b"all there is"


def test_an_answer_without_a_body_leaves_the_connection_open() -> None:
    response = answer(b"HTTP/1.1 204 No Content\r\n\r\n", method="DELETE")

    assert (response.read(), response.will_close) == (b"", False)


def test_what_comes_before_the_answer_is_passed_over() -> None:
    response = answer(b"HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")

    assert (response.status, response.read()) == (200, b"x")


def test_a_length_that_is_none_is_not_believed() -> None:
    response = answer(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nbody")

    assert response.read() == b"body"


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (b"", RemoteDisconnected),
        (b"SSH-2.0-something\r\n", HTTPException),
        (b"HTTP/1.1 200 OK\r\nA: " + b"a" * LINE_MAX + b"\r\n\r\n", LineTooLong),
        (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * (FIELDS_MAX + 1) + b"\r\n", HTTPException),
    ],
    ids=["nothing", "not HTTP", "long line", "many fields"],
)
def test_what_is_no_answer_is_an_error(sent: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        answer(sent)


def test_a_header_cannot_become_two() -> None:
    assert head_fields({"a": "1", "b": "2"}) == "a: 1\r\nb: 2\r\n"
    with pytest.raises(ValueError, match="the header if-match has a line break"):
        head_fields({"if-match": "1\r\nx: 2"})
