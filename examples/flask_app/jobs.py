"""The jobs of the guest book."""

from mainspring import App

app = App("guestbook")


@app.job
def check_entry(text: str) -> dict[str, int]:
    return {"words": len(text.split())}
