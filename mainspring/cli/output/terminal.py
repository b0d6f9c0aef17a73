"""Makes text from elsewhere safe to print on a terminal."""


def escape(text: str, *, but: str = "") -> str:
    """Return the text with its control characters written out, except those in `but`."""
    # A handler's output must not control the reader's terminal.
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in but else repr(each)[1:-1] for each in text)
