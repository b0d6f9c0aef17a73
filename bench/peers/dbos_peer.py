"""DBOS on PostgreSQL: workflows are functions of this process, whose steps and children leave rows in the database."""
# mypy: disable-error-code="import-not-found,import-untyped,no-any-return,misc,untyped-decorator"

from dbos import DBOS
from script import URL
from shapes import LAYERS, LINKS, measure

DBOS(config={"name": "bench", "system_database_url": URL, "log_level": "ERROR"})


@DBOS.step()
def step(n: int) -> int:
    return n


@DBOS.workflow()
def child(n: int) -> int:
    return n


@DBOS.workflow()
def linked(count: int) -> int:
    value = 1
    for _ in range(count):
        value = step(value)
    return value


@DBOS.workflow()
def layered(count: int) -> int:
    value = 1
    for _ in range(LAYERS):
        begun = [DBOS.start_workflow(child, value) for _ in range(count)]
        value = max(one.get_result() for one in begun)
    return value


@DBOS.workflow()
def summed(count: int) -> int:
    begun = [DBOS.start_workflow(child, n) for n in range(count)]
    return sum(one.get_result() for one in begun)


def run_chains(count: int) -> object:
    begun = [DBOS.start_workflow(linked, LINKS) for _ in range(count)]
    return sum(one.get_result() for one in begun)


if __name__ == "__main__":
    DBOS.launch()
    measure({"chain": linked, "layers": layered, "mapped": summed, "chains": run_chains}, summed)
