"""Throughput over time with the faults marked: as a drawing, and as a few lines of text."""

from collections.abc import Sequence
from string import ascii_letters
from xml.sax.saxutils import escape

from proof.records import Execution, Fault

BLOCKS = " ▁▂▃▄▅▆▇█"
WIDTH, HEIGHT, MARGIN, LEGEND = 1000, 260, 40, 16
COLOURS = ("#c0392b", "#2471a3", "#b7950b", "#6c3483", "#117a65", "#a04000")


def per_second(executions: Sequence[Execution], until: float) -> list[int]:
    """How many handlers came to their end in each second."""
    counts = [0] * (int(until) + 1)
    for line in executions:
        if line.event == "end" and 0 <= line.at <= until:
            counts[int(line.at)] += 1
    return counts


def text_plot(counts: Sequence[int], faults: Sequence[Fault], *, width: int = 100) -> str:
    """One row of bars, one row of letters at the faults' beginnings, and what the letters stand for."""
    step = max(1, -(-len(counts) // width))
    means = [sum(part) / len(part) for part in (counts[at : at + step] for at in range(0, len(counts), step))]
    top = cap(counts)
    bars = "".join(BLOCKS[min(8, round(8 * mean / top))] for mean in means)
    marks = [" "] * len(means)
    for letter, fault in zip(letters(faults), faults, strict=True):
        marks[min(int(fault.at) // step, len(marks) - 1)] = letter
    legend = [
        f"  {letter} {fault.at:4.0f} to {fault.until:.0f} s  {fault.fault} {fault.target} {fault.detail}".rstrip()
        for letter, fault in zip(letters(faults), faults, strict=True)
    ]
    return "\n".join([f"runs done, one column {step} s, full height {top:.0f}/s", bars, "".join(marks), *legend])


def svg_plot(counts: Sequence[int], faults: Sequence[Fault]) -> str:
    """A drawing that any browser shows."""
    height = HEIGHT + MARGIN + LEGEND * (len(faults) + 1)
    across, top = WIDTH / max(1, len(counts)), cap(counts)
    bands = [band(number, fault, across) for number, fault in enumerate(faults)]
    points = " ".join(
        f"{(second + 0.5) * across:.1f},{HEIGHT - min(count / top, 1) * HEIGHT:.1f}"
        for second, count in enumerate(counts)
    )
    box = f"-{MARGIN} -{MARGIN // 2} {WIDTH + 2 * MARGIN} {height}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="sans-serif" font-size="11">',
        f'<rect x="-{MARGIN}" y="-{MARGIN // 2}" width="{WIDTH + 2 * MARGIN}" height="{height}" fill="white"/>',
        *bands,
        f'<polyline points="{points}" fill="none" stroke="#1b2631" stroke-width="1.2"/>',
        f'<path d="M0,0V{HEIGHT}H{WIDTH}" fill="none" stroke="#7f8c8d"/>',
        f'<text x="-{MARGIN - 2}" y="8">{top:.0f}/s</text><text x="-12" y="{HEIGHT}">0</text>',
        f'<text x="{WIDTH}" y="{HEIGHT + 14}" text-anchor="end">{len(counts)} s</text>',
        "</svg>",
    ]
    return "\n".join(parts)


def band(number: int, fault: Fault, across: float) -> str:
    colour = COLOURS[number % len(COLOURS)]
    left, wide = fault.at * across, max(1.0, (fault.until - fault.at) * across)
    words = escape(f"{ascii_letters[number % 52]}  {fault.fault} {fault.target} {fault.detail}".rstrip())
    below = HEIGHT + MARGIN // 2 + LEGEND * (number + 1)
    return (
        f'<rect x="{left:.1f}" y="0" width="{wide:.1f}" height="{HEIGHT}" fill="{colour}" fill-opacity="0.15"/>'
        f'<text x="{left:.1f}" y="-4" fill="{colour}">{ascii_letters[number % 52]}</text>'
        f'<text x="0" y="{below}" fill="{colour}">{words}: {fault.at:.0f} to {fault.until:.0f} s</text>'
    )


def letters(faults: Sequence[Fault]) -> list[str]:
    return [ascii_letters[number % 52] for number in range(len(faults))]


def cap(counts: Sequence[int]) -> float:
    """The height of the plot: what all but the busiest seconds stay below, so that a burst does not flatten the rest."""
    ordered = sorted(counts)
    return max(1.0, 1.3 * ordered[int(0.95 * (len(ordered) - 1))]) if ordered else 1.0
