"""Following a run's log to its end, over as many connections as it takes: what to ask for and how to read it, without I/O."""

import msgspec

from mainspring.client.calls import part
from mainspring.client.transport.problems import unreadable
from mainspring.client.transport.requests import Request
from mainspring.contract.runs import LogLine

LINE, END = "log", "end"


class Event(msgspec.Struct):
    """A server-sent event."""

    kind: str = ""
    place: str = ""
    data: str = ""


class EventReader:
    """Puts events together, line by line."""

    def __init__(self) -> None:
        self._event = Event()

    def take(self, line: str) -> Event | None:
        """The event that this line completes, if it does; comments show only that the server lives."""
        if not line:
            done, self._event = self._event, Event()
            return done if done.data else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                self._event.kind = value
            case "id":
                self._event.place = value
            case "data":
                self._event.data += value
        return None


class Following:
    """How far a log was read, and whether it has come to its end."""

    def __init__(self, run: str, *, after: int = 0) -> None:
        self._run = run
        self._after = after
        self._reader = EventReader()
        self.connected = False
        """Some server has answered."""
        self.over = False

    def request(self) -> Request[bytes]:
        """What the next connection asks for."""
        self._reader = EventReader()
        params = {"follow": "true", "after": str(self._after)}
        return Request("GET", f"/api/v1/runs/{part(self._run)}/logs", bytes, params=params)

    def take(self, text: str) -> LogLine | None:
        """The log line that this line of the stream completes, if it does."""
        self.connected = True
        event = self._reader.take(text)
        if event is None:
            return None
        self.over = event.kind == END
        if event.kind != LINE:
            return None
        try:
            line = _line(event.data)
            self._after = int(event.place)
        except (msgspec.DecodeError, ValueError) as error:
            raise unreadable(error, None) from None
        return line


_line = msgspec.json.Decoder(LogLine).decode
