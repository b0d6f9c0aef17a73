"""The jobs of the shop."""

from mainspring import App

app = App("shop")


@app.job
async def pack(order: int) -> str:
    return f"packed {order}"
