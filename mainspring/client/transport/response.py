"""An answer over plain HTTP, read by the standard library's client except for its head."""

from http import HTTPStatus
from http.client import BadStatusLine, HTTPException, HTTPResponse, LineTooLong, RemoteDisconnected
from typing import Any

FIELDS_MAX = 100
LINE_MAX = 65536
NEWEST = "HTTP/1.1"


class Fields(dict[str, str]):
    """The fields of an answer's head, by their names in small letters."""

    def get(self, name: str, default: str | None = None) -> str | None:  # type: ignore[override]
        return super().get(name.lower(), default)


class PlainResponse(HTTPResponse):
    """Reads its head without the machinery for e-mail, which would take longer than all the rest of a call."""

    def begin(self) -> None:
        version, self.status, self.reason = self._read_first()
        fields = self._read_fields()
        while self.status == HTTPStatus.CONTINUE:
            version, self.status, self.reason = self._read_first()
            fields = self._read_fields()
        self.code = self.status
        self.version = 11 if version == NEWEST else 10
        self.headers = self.msg = fields
        self.chunked = (fields.get("transfer-encoding") or "").lower() == "chunked"
        self.chunk_left = None
        length = fields.get("content-length") or ""
        self.length = int(length) if length.isdecimal() and not self.chunked else None
        if self.status in {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}:
            self.length = 0
        closing = version != NEWEST or "close" in (fields.get("connection") or "").lower()
        self.will_close = closing or (not self.chunked and self.length is None)

    def _read_first(self) -> tuple[str, int, str]:
        line = self.fp.readline(LINE_MAX + 1).decode("latin-1")
        if not line:
            raise RemoteDisconnected("the connection was closed without an answer")
        version, _, rest = line.strip().partition(" ")
        number, _, reason = rest.strip().partition(" ")
        if not version.startswith("HTTP/") or not (len(number) == 3 and number.isdecimal()):
            raise BadStatusLine(line[:100])
        return version, int(number), reason.strip()

    def _read_fields(self) -> Any:
        fields = Fields()
        for _ in range(FIELDS_MAX):
            line = self.fp.readline(LINE_MAX + 1)
            if len(line) > LINE_MAX:
                raise LineTooLong("a field of the answer's head")
            if line in {b"\r\n", b"\n", b""}:
                return fields
            name, _, value = line.decode("latin-1").partition(":")
            fields[name.strip().lower()] = value.strip()
        raise HTTPException(f"the answer's head has more than {FIELDS_MAX} fields")
