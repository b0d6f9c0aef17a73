"""Text that others wrote, made fit for a terminal."""


def harmless(text: str, *, but: str = "") -> str:
    """What a handler wrote must not steer the terminal of whoever reads it."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in but else repr(each)[1:-1] for each in text)
