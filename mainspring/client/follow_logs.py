"""A run's log until its end, over any number of connections: the requests and the reader of their streams, without I/O."""

import msgspec

from mainspring.client.calls import Request, ask
from mainspring.client.transport.problems import unreadable
from mainspring.contract.operations.runs import LIST_LOGS, LogQuery
from mainspring.contract.runs import LogLine

LINE, END = "log", "end"
FOLLOW_LOGS = LIST_LOGS.answering(bytes)


class StreamEvent(msgspec.Struct):
    """A server-sent event."""

    kind: str = ""
    place: str = ""
    data: str = ""


class EventReader:
    """Puts events together, line by line."""

    def __init__(self) -> None:
        self._event = StreamEvent()

    def take(self, line: str) -> StreamEvent | None:
        """The event that this line completes, if it does; comments show only that the server lives."""
        if not line:
            done, self._event = self._event, StreamEvent()
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
        """The request of the next connection."""
        self._reader = EventReader()
        return ask(FOLLOW_LOGS, self._run, query=LogQuery(after=self._after, follow=True))

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
