"""From a definition to its graph; an impossible one is refused with the field, a cycle with its path."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from mainspring.domain.suggest import did_you_mean
from mainspring.domain.waits.wait import read_rule
from mainspring.domain.workflows.cycles import sorted_steps
from mainspring.domain.workflows.graph import (
    AFTER,
    FINALLY,
    LAST,
    ON_FAILURE,
    ON_SUCCESS,
    UNDO,
    Graph,
    Step,
)
from mainspring.domain.workflows.rules import (
    EARLY,
    USUAL,
    Rule,
    all_done,
    all_succeeded,
    both,
    counting,
    expression,
    named_in,
    none_failed,
    none_failed_or_default,
)
from mainspring.domain.workflows.spec import INPUT, SELF, StepCall, StepSpec, WorkflowSpec
from mainspring.domain.workflows.values import (
    INPUT_STEP,
    SELF_STEP,
    Alternatives,
    Arguments,
    ResultPlace,
    Value,
    When,
    first_name,
    places_in,
    read_when,
)
from mainspring.errors import InvalidInputError


def compile_graph(spec: WorkflowSpec) -> Graph:
    """Raises InvalidInputError."""
    return Compiling(spec).graph()


class Compiling:
    """Numbers and values of one definition while its graph is built."""

    def __init__(self, spec: WorkflowSpec) -> None:
        self.spec = spec
        self.values = {name: step for name, step in spec.steps.items() if step.either}
        parents = {name: parents_of(spec, name, step) for name, step in spec.steps.items()}
        order = sorted_steps(parents)
        self.parents = parents
        self.numbers = {name: n for n, name in enumerate(name for name in order if name not in self.values)}

    def graph(self) -> Graph:
        main = [self.step(name, self.spec.steps[name]) for name in self.numbers]
        endings = [*self.undos(main), *self.endings()]
        result = self.resolve(self.spec.result, "result") if self.spec.result else None
        return Graph((*main, *endings), result, self.spec.fail_fast, self.spec.steps_at_once)

    def step(self, name: str, spec: StepSpec) -> Step:
        field = f"steps.{name}"
        when = read_when(spec.when, self.resolve, f"{field}.when") if spec.when else None
        parents = tuple(sorted({number for one in self.parents[name] for number in self.steps_behind(one)}))
        return Step(
            name=name,
            job=spec.job,
            parents=parents,
            rule=self.rule(name, spec, parents, when),
            arguments=self.step_arguments(spec, field),
            when=when,
            each=self.resolve(spec.each, f"{field}.each") if spec.each else None,
            at_once=spec.at_once,
            failures_max=spec.failures_max,
            may_fail=spec.may_fail,
            rule_text=spec.rule if isinstance(spec.rule, str) else msgspec.json.encode(spec.rule).decode(),
            wait=read_rule(name, spec),
        )

    def step_arguments(self, spec: StepSpec, field: str) -> Arguments:
        if not spec.event:
            return self.arguments(spec.input, spec.mapping, f"{field}.mapping", spec.item if spec.each else "")
        # The values that an event has to match, by their places in its data.
        places = {key: text for key, text in spec.match.items() if is_place(text)}
        constants = {key: value for key, value in spec.match.items() if key not in places}
        return self.arguments(constants, places, f"{field}.match", "")

    def steps_behind(self, name: str) -> Iterable[int]:
        """The step itself, or those among which a value chooses."""
        if name not in self.values:
            return (self.numbers[name],)
        return [number for one in self.parents[name] for number in self.steps_behind(one)]

    def rule(self, name: str, spec: StepSpec, parents: tuple[int, ...], when: When | None) -> Rule:
        field = f"steps.{name}.rule"
        if not isinstance(spec.rule, str):
            rule = expression(spec.rule, self.numbers, field)
        elif spec.rule not in USUAL:
            reason = f"{spec.rule!r} is not one of {', '.join(USUAL)}{did_you_mean(spec.rule, USUAL)}"
            raise InvalidInputError(field, reason, code="bad_rule")
        elif spec.rule == "all_succeeded":
            return self.all_and_alternatives(name, parents)
        else:
            rule = counting(USUAL[spec.rule], parents)
        if not isinstance(spec.rule, str) or spec.rule in EARLY:
            self.refuse_values(spec, field)
        if when is not None and when.steps:
            # A condition is looked at only once all it names have ended.
            rule = both([rule, counting(all_done, when.steps)])
        return rule

    def refuse_values(self, spec: StepSpec, field: str) -> None:
        """A step that may begin before its parents have ended takes none of their results."""
        # Which results had come would be chance.
        for key, text in spec.mapping.items():
            if first_name(text, field)[0] != INPUT:
                reason = f"begins before {text} need be known, and {key} takes it: use all_done or none_failed"
                raise InvalidInputError(field, reason, code="bad_rule")

    def all_and_alternatives(self, name: str, parents: tuple[int, ...]) -> Rule:
        """All parents have succeeded; of alternatives none has failed."""
        groups: list[Rule] = []
        plain = set(parents)
        for one in self.parents[name]:
            if one in self.values:
                behind = tuple(self.steps_behind(one))
                plain -= set(behind)
                has_default = self.values[one].default is not msgspec.UNSET
                groups.append(counting(none_failed_or_default if has_default else none_failed, behind))
        direct = {self.numbers[one] for one in self.parents[name] if one in self.numbers}
        rest = tuple(sorted(plain | direct))
        return both([*([counting(all_succeeded, rest)] if rest or not groups else []), *groups])

    def arguments(self, constants: Mapping[str, Any], mapping: Mapping[str, str], field: str, item: str) -> Arguments:
        raw = {name: msgspec.Raw(msgspec.json.encode(value)) for name, value in constants.items()}
        places = tuple((name, self.resolve(text, f"{field}.{name}")) for name, text in mapping.items())
        return Arguments(raw, places, item)

    def resolve(self, text: str, field: str) -> Value:
        """The value of a place."""
        name, rest = first_name(text, field)
        if name == INPUT:
            return ResultPlace(INPUT_STEP, rest, text)
        if name == SELF and name not in self.spec.steps:
            return ResultPlace(SELF_STEP, rest, text)
        check_known(self.spec, name, field)
        if (value := self.values.get(name)) is None:
            return ResultPlace(self.numbers[name], rest, text)
        sources = [self.resolve(one, f"steps.{name}.either[{at}]") for at, one in enumerate(value.either)]
        flat = [inner for one in sources for inner in (one.sources if isinstance(one, Alternatives) else (one,))]
        default = None if value.default is msgspec.UNSET else msgspec.json.encode(value.default)
        return Alternatives(tuple(flat), default, rest, text)

    def undos(self, main: list[Step]) -> list[Step]:
        """One for each step that has an undo, each after those of all that comes after its step."""
        graph = Graph(tuple(main))
        owners = [n for n, step in enumerate(main) if self.spec.steps[step.name].undo is not None]
        # The last step is undone first.
        numbers = {owner: len(main) + at for at, owner in enumerate(reversed(owners))}
        steps: list[Step] = []
        for owner in numbers:
            name = main[owner].name
            undo = self.spec.steps[name].undo
            assert undo is not None
            later = graph.descendants(owner)
            parents = tuple(sorted(numbers[other] for other in owners if other in later))
            steps.append(self.ending(UNDO, f"{name}.undo", undo, f"steps.{name}.undo", parents, undoes=owner))
        return steps

    def endings(self) -> list[Step]:
        calls = [(ON_SUCCESS, self.spec.on_success), (ON_FAILURE, self.spec.on_failure), (FINALLY, self.spec.finally_)]
        return [self.ending(name, name, call, name, ()) for name, call in calls if call is not None]

    def ending(
        self, kind: str, name: str, call: StepCall, field: str, parents: tuple[int, ...], undoes: int | None = None
    ) -> Step:
        return Step(
            name=name,
            job=call.job,
            parents=parents,
            rule=counting(all_done, parents),
            arguments=self.arguments(call.input, call.mapping, f"{field}.mapping", ""),
            stage=LAST if kind == FINALLY else AFTER,
            ending=kind,
            undoes=undoes,
            rule_text="all_done",
        )


def parents_of(spec: WorkflowSpec, name: str, step: StepSpec) -> list[str]:
    """All that a step names, `either` values among them; raises for an unknown one."""
    field = f"steps.{name}"
    named = [(text, f"{field}.mapping.{key}") for key, text in step.mapping.items()]
    named += [(text, f"{field}.when.{text}") for text in places_in(step.when)]
    named += [(text, f"{field}.either[{at}]") for at, text in enumerate(step.either)]
    named += [(step.each, f"{field}.each")] if step.each else []
    named += [(text, f"{field}.match.{key}") for key, text in step.match.items() if is_place(text)]
    names = [(first_name(text, where)[0], where) for text, where in named]
    names = [(one, where) for one, where in names if one != INPUT]
    names += [(one, f"{field}.after[{at}]") for at, one in enumerate(step.after)]
    names += [(one, f"{field}.rule") for one in named_in(step.rule)] if not isinstance(step.rule, str) else []
    for one, where in names:
        check_known(spec, one, where)
    return list(dict.fromkeys(one for one, _ in names))


def check_known(spec: WorkflowSpec, name: str, field: str) -> None:
    if name not in spec.steps:
        close = did_you_mean(name, spec.steps)
        raise InvalidInputError(field, f"there is no step {name}{close}", code="unknown_step")


def is_place(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("$.")
