"""`python -m proof.graphs 100000`: so many random workflows, each twice in two random orders, against the oracle."""

import sys

from proof.graphs.trial import try_one


def main(count: int) -> None:
    runs = sum(map(try_one, range(count)))
    orders = "each in two orders with two sets of values"
    print(f"{count} random workflows, {orders}: {runs} runs began, each once; all states are the oracle's")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
