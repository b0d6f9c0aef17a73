"""`python -m proof.chart`: install the chart by Helm's library into a stub of an API server, and validate each object.

The stub is no Kubernetes: it shows what Helm sends, not what a cluster does with it. Objects of KEDA and of the Prometheus
operator have no schema here and are only counted. Those of some sets are held against golden files; `--write` writes these.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

import helm_sdkpy
import kubernetes_validate

from proof.chart import golden
from proof.chart.api_stub import ApiStub
from proof.chart.values import BAD, GOOD, merged

CHART = Path(__file__).parents[2] / "mainspring" / "deploy" / "helm" / "mainspring"
VERSIONS = [f"1.{minor}" for minor in range(29, 38)]


def main() -> int:
    problems = [*asyncio.run(check_good()), *asyncio.run(check_bad())]
    for problem in problems:
        print(problem)
    print("held" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


async def check_good() -> list[str]:
    problems, count, without = [], 0, 0
    rendered: dict[str, list[dict[str, Any]]] = {}
    for name, changes in GOOD.items():
        try:
            objects = await installed(merged(changes))
        except helm_sdkpy.HelmError as error:
            problems.append(f"{name}: Helm refuses it: {error}")
            continue
        rendered[name] = objects
        problems += [f"{name}: {reason}" for reason in scraped_amiss(objects)]
        for made in objects:
            found, known = invalid(made)
            problems += [f"{name}: {made['kind']} {made['metadata']['name']}: {reason}" for reason in found]
            count += known
            without += not known
    print(f"{len(GOOD)} sets of values: {count} objects held against Kubernetes {VERSIONS[0]} to {VERSIONS[-1]}")
    print(f"{without} objects of KEDA and the Prometheus operator, without a schema")
    if "--write" in sys.argv[1:]:
        golden.write(rendered)
    problems += golden.differences(rendered)
    return problems


async def check_bad() -> list[str]:
    problems = []
    for name, (changes, reason) in BAD.items():
        try:
            await installed(merged(changes))
        except helm_sdkpy.HelmError as error:
            if reason not in str(error):
                problems.append(f"{name}: refused for another reason: {error}")
        else:
            problems.append(f"{name}: not refused")
    print(f"{len(BAD)} sets of bad values refused by schema or template" if not problems else "some bad values pass")
    return problems


async def installed(values: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects that Helm creates; raises HelmError if it refuses."""
    stub = ApiStub()
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".json") as config:
            config.write(stub.kubeconfig)
            config.flush()
            helm = helm_sdkpy.Configuration(namespace="jobs", kubeconfig=config.name)
            await helm_sdkpy.Install(helm).run("fleet", str(CHART), values=values, wait=False, timeout=30)
    finally:
        stub.close()
    return stub.created


def scraped_amiss(objects: list[dict[str, Any]]) -> list[str]:
    """Monitors that find more or less than one Service: a server behind two is scraped twice, and sums are doubled."""
    services = [made["metadata"]["labels"].items() for made in objects if made["kind"] == "Service"]
    wanted = [made["spec"]["selector"]["matchLabels"] for made in objects if made["kind"] == "ServiceMonitor"]
    counts = [sum(selector.items() <= labels for labels in services) for selector in wanted]
    return [f"a ServiceMonitor finds {count} Services" for count in counts if count != 1]


def invalid(made: dict[str, Any]) -> tuple[list[str], bool]:
    """Why an object is not valid, by version; and whether it has a schema."""
    problems = []
    if made["kind"] == "ScaledJob":
        # KEDA's own fields have no schema here, but what it makes of them is a Job.
        made = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": made["metadata"],
            "spec": made["spec"]["jobTargetRef"],
        }
    for version in VERSIONS:
        try:
            kubernetes_validate.validate(made, version, strict=True)
        except kubernetes_validate.SchemaNotFoundError:
            return [], False
        except kubernetes_validate.ValidationError as error:
            problems.append(f"{version}: {error.message}")
    return problems, True


if __name__ == "__main__":
    sys.exit(main())
