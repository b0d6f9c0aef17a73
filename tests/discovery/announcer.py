"""`python -m tests.discovery.announcer ADDRESS SECONDS`: announces one entry, says so, and waits for its end."""

import asyncio
import sys

from mainspring.clock import SystemClock
from mainspring.discovery.address import open_registry, parse_address
from mainspring.discovery.interface import Entry, EntryKind


async def main(address: str, seconds: float) -> None:
    entry = Entry(kind=EntryKind.SERVER, id="announcer", name="s9", url="https://s9:8484")
    await open_registry(parse_address(address), SystemClock()).announce(entry, ttl=seconds)
    print("announced", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2])))
