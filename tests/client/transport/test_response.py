"""Responses in pieces of any size, whole ones and such that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.client.transport.http11 import body
from mainspring.client.transport.http11.errors import BrokenOffError, NoAnswerError, NotHttpError, ResponseError
from mainspring.client.transport.http11.lines import Lines
from mainspring.client.transport.http11.request import encode_request, head_fields
from mainspring.client.transport.http11.response import FIELDS_MAX, HEAD_MAX, ResponseReader

SIZED = b'HTTP/1.1 201 Created\r\nContent-Length: 2\r\nETag:  "3" \r\n\r\n{}'
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"2\r\nab\r\n00a;name=value\r\n\r\n0123456\n\r\n1 \r\nc\r\n0\r\nA-Trailer: 1\r\nB: 2\r\n\r\n"
)
CONTINUED = b"HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" + SIZED
EMPTY = b"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n"
CLOSING = b"HTTP/1.1 200 OK\r\nConnection: keep-alive, Close\r\nContent-Length: 3\r\n\r\nabc"
OLD = b"HTTP/1.0 200 OK\r\n\r\nall there is"
WHOLE = {
    SIZED: b"{}",
    CHUNKED: b"ab\r\n0123456\nc",
    CONTINUED: b"{}",
    EMPTY: b"",
    CLOSING: b"abc",
    OLD: b"all there is",
}


def read(sent: bytes, *, method: str = "GET", cuts: tuple[int, ...] = ()) -> ResponseReader:
    reader = ResponseReader(method)
    for start, end in zip((0, *cuts), (*cuts, len(sent)), strict=True):
        reader.feed(sent[start:end])
    return reader


def cut_anywhere(sent: bytes) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(0, len(sent)), max_size=12).map(sorted).map(tuple)


@given(sent=st.sampled_from([*WHOLE]), data=st.data())
def test_a_response_is_the_same_however_it_is_cut(sent: bytes, data: st.DataObject) -> None:
    whole, cut = read(sent), read(sent, cuts=data.draw(cut_anywhere(sent)))
    if sent is OLD:
        whole.close()
        cut.close()

    assert cut.take() == whole.take() == WHOLE[sent]
    assert (cut.status, cut.complete, cut.keep_alive) == (whole.status, True, whole.keep_alive)
    assert cut.headers.get("etag") == whole.headers.get("ETag")


@given(content=st.binary(max_size=300), sizes=st.lists(st.integers(1, 40), min_size=1), data=st.data())
def test_content_in_chunks_is_the_content(content: bytes, sizes: list[int], data: st.DataObject) -> None:
    sent, at = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", 0
    while at < len(content):
        chunk = content[at : at + sizes[at % len(sizes)]]
        sent += b"%x\r\n%s\r\n" % (len(chunk), chunk)
        at += len(chunk)
    sent += b"0\r\n\r\n"
    reader = read(sent, cuts=data.draw(cut_anywhere(sent)))

    assert (reader.take(), reader.complete, reader.keep_alive) == (content, True, True)


@pytest.mark.parametrize("sent", [SIZED, CHUNKED, CONTINUED, CLOSING], ids=["sized", "chunked", "continued", "closing"])
def test_a_connection_that_ends_within_a_response_is_an_error_at_every_byte(sent: bytes) -> None:
    with pytest.raises(NoAnswerError):
        read(b"").close()
    for size in range(1, len(sent)):
        with pytest.raises(BrokenOffError):
            read(sent[:size]).close()


@pytest.mark.parametrize(
    ("sent", "open_after"),
    [(SIZED, True), (CHUNKED, True), (EMPTY, True), (CLOSING, False), (SIZED + b"H", False), (CHUNKED + b"H", False)],
)
def test_a_connection_goes_on_only_after_exactly_one_response(sent: bytes, *, open_after: bool) -> None:
    assert read(sent).keep_alive is open_after


def test_bytes_after_a_complete_response_end_the_connection() -> None:
    reader = read(SIZED)
    reader.feed(b"HTTP/1.1 200 OK\r\n")

    assert (reader.take(), reader.keep_alive) == (b"{}", False)


def test_a_body_without_a_length_ends_with_the_connection() -> None:
    reader = read(b"HTTP/1.1 200 OK\r\n\r\nall ")
    reader.feed(b"there is")
    waiting = reader.complete
    reader.close()

    assert (waiting, reader.complete, reader.keep_alive, reader.take()) == (False, True, False, b"all there is")


@pytest.mark.parametrize(("method", "status"), [("HEAD", b"200 OK"), ("CONNECT", b"200 OK"), ("GET", b"304 Same")])
def test_some_responses_have_a_length_and_no_body(method: str, status: bytes) -> None:
    reader = read(b"HTTP/1.1 %s\r\nContent-Length: 9\r\n\r\n" % status, method=method)

    assert (reader.complete, reader.take()) == (True, b"")


def test_headers_are_found_by_name_and_not_by_what_they_end_with() -> None:
    found = read(b'HTTP/1.1 200\r\nX-ETag: 1\r\nETag:  "3" \r\nContent-Length: 0\r\n\r\n').headers

    assert (found.get("ETAG"), found.get("tag"), found.get("x-etag")) == ('"3"', None, "1")


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (b"SSH-2.0-something\r\n", NotHttpError),
        (b"\x15\x03\x01\x00\x02", NotHttpError),
        (b"HTTP/2 200\r\n\r\n", NotHttpError),
        (b"HTTP/1.1 099 Low\r\n\r\n", ResponseError),
        (b"HTTP/1.1 2000 High\r\n\r\n", ResponseError),
        (b"HTTP/1.1 101 Switching\r\n\r\n", ResponseError),
        (OK + b"no colon\r\n\r\n", ResponseError),
        (OK + b"A : b\r\n\r\n", ResponseError),
        (OK + b"A: b\r\n folded\r\n\r\n", ResponseError),
        (OK + b"A: b\n\nB: c\r\n\r\n", ResponseError),
        (OK + b"A: " + b"a" * HEAD_MAX, ResponseError),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * (HEAD_MAX // 25 + 1), ResponseError),
        (OK + b"A: b\r\n" * (FIELDS_MAX + 1) + b"\r\n", ResponseError),
        (OK + b"Content-Length: -5\r\n\r\n", ResponseError),
        (OK + b"Content-Length: 0x5\r\n\r\n", ResponseError),
        (OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", ResponseError),
        (OK + b"Content-Length: 1, 2\r\n\r\n", ResponseError),
        (OK + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", ResponseError),
        (OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n", ResponseError),
        (OK + b"Content-Length: %d\r\n\r\n" % (body.BODY_MAX + 1), ResponseError),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n", ResponseError),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1ffffffff\r\n", ResponseError),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1\nab", ResponseError),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\nabc", ResponseError),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1;" + b"a" * body.LINE_MAX, ResponseError),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"a" * body.LINE_MAX, ResponseError),
    ],
)
def test_a_response_that_is_none_is_an_error(sent: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        read(sent)


def test_content_that_nobody_takes_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "BODY_MAX", 10)
    reader = read(b"HTTP/1.1 200 OK\r\n\r\n" + b"a" * 10)
    reader.take()
    reader.feed(b"a" * 10)
    with pytest.raises(ResponseError, match="more than 10 bytes"):
        reader.feed(b"a")


@given(sent=st.binary(max_size=80))
def test_no_bytes_but_a_response_are_taken_for_one(sent: bytes) -> None:
    try:
        reader = read(sent)
    except ResponseError:
        return

    assert not reader.complete


@given(st.binary(max_size=60), st.data())
def test_a_damaged_response_is_read_or_refused_and_nothing_else(damage: bytes, data: st.DataObject) -> None:
    sent = data.draw(st.sampled_from([*WHOLE]))
    at = data.draw(st.integers(0, len(sent)))
    reader = ResponseReader("GET")
    try:
        reader.feed(sent[:at] + damage + sent[at + len(damage) :])
        reader.close()
    except (ResponseError, NoAnswerError, BrokenOffError):
        return

    assert reader.complete


@given(content=st.text(alphabet="ab\r\né"), data=st.data())
def test_lines_are_the_same_however_a_stream_is_cut(content: str, data: st.DataObject) -> None:
    sent = content.encode()
    lines, found, cuts = Lines(), [], data.draw(cut_anywhere(sent))
    for start, end in zip((0, *cuts), (*cuts, len(sent)), strict=True):
        found += lines.feed(sent[start:end])
    found += lines.close()
    expected = content.split("\n")

    assert found == [line.removesuffix("\r") for line in (expected if expected[-1] else expected[:-1])]


def test_a_request_is_one_piece() -> None:
    assert encode_request("POST", "/a?b=1", "host: x\r\n", b"{}") == (
        b"POST /a?b=1 HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}"
    )
    assert encode_request("POST", "/", "") == b"POST / HTTP/1.1\r\ncontent-length: 0\r\n\r\n"
    assert encode_request("GET", "/", "") == b"GET / HTTP/1.1\r\n\r\n"


def test_a_header_cannot_become_two() -> None:
    assert head_fields({"a": "1", "b": "2"}) == "a: 1\r\nb: 2\r\n"
    with pytest.raises(ValueError, match="the header if-match has a line break"):
        head_fields({"if-match": "1\r\nx: 2"})


def test_a_response_larger_than_its_buffers_is_put_together() -> None:
    content = bytes(range(256)) * 4096
    reader = ResponseReader("GET")
    sent = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(content), content)
    for start in range(0, len(sent), 65_536):
        reader.feed(sent[start : start + 65_536])

    assert (reader.complete, reader.keep_alive, reader.take()) == (True, True, content)
