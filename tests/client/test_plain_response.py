"""The heads of answers, as they come out of a real socket."""

import socket
import threading
from http.client import HTTPException, HTTPResponse, LineTooLong, RemoteDisconnected

import pytest

from mainspring.client.transport.plain_http import OneSend, head_fields
from mainspring.client.transport.response import FIELDS_MAX, LINE_MAX, PlainResponse
from mainspring.client.transport.whole_response import WholeAnswer, whole_answer


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


CREATED = b'HTTP/1.1 201 Created\r\ncontent-length: 2\r\nETag:  "3" \r\n\r\n{}'


def test_an_answer_in_one_piece_is_read_as_it_is() -> None:
    answer = whole_answer(CREATED)

    assert answer is not None
    assert (answer.status, answer.read(), answer.will_close) == (201, b"{}", False)
    assert (answer.headers.get("etag"), answer.headers.get("tag")) == ('"3"', None)


@pytest.mark.parametrize(
    "came",
    [
        CREATED[:-1],
        CREATED + b"more",
        CREATED[:30],
        CREATED.replace(b"/1.1", b"/1.0"),
        CREATED.replace(b"201", b"204"),
        CREATED.replace(b"201", b"100"),
        CREATED.replace(b"ETag", b"Connection"),
        CREATED.replace(b"ETag", b"Transfer-Encoding"),
        CREATED.replace(b'ETag:  "3" ', b"Content-Length: 2"),
        CREATED.replace(b"content-length: 2", b"content-length: -2"),
        CREATED.replace(b"content-length: 2", b"length: 2"),
        CREATED.replace(b"content-length: 2", b"x-content-length: 2"),
        b"SSH-2.0-OpenSSH\r\n\r\n",
    ],
)
def test_all_else_is_left_to_a_reader_that_can_wait(came: bytes) -> None:
    assert whole_answer(came) is None


@pytest.mark.parametrize("cut", [*range(1, len(CREATED)), None])
def test_an_answer_may_be_cut_anywhere(cut: int | None) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        connection = OneSend("localhost")
        connection.sock = ours
        theirs.sendall(CREATED[:cut])
        reader = threading.Thread(target=lambda: heard.append(connection.hear("POST")))
        heard: list[WholeAnswer | HTTPResponse] = []
        reader.start()
        if cut is not None:
            theirs.sendall(CREATED[cut:])
        reader.join()

        assert (heard[0].status, heard[0].read(), heard[0].headers.get("ETag")) == (201, b"{}", '"3"')


def test_a_connection_that_ends_without_an_answer_is_said_to() -> None:
    ours, theirs = socket.socketpair()
    with ours:
        theirs.close()
        connection = OneSend("localhost")
        connection.sock = ours

        with pytest.raises(RemoteDisconnected):
            connection.hear("POST")
