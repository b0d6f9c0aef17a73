// An object beside its list, so that no list is lost to look at one row; the address has it.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { asked, link, setQuery } from "../live/route.ts";
import { Button, ButtonLink } from "../parts/basics.tsx";
import { words } from "../words/index.ts";
import { peekers } from "./peekers.tsx";

export function Peek(): JSX.Element | null {
  const wanted = asked("peek");
  useEffect(() => {
    const open = (event: Event) => setQuery({ peek: asked("peek") === (event as CustomEvent<string>).detail ? null : (event as CustomEvent<string>).detail });
    const leave = (event: KeyboardEvent) => event.key === "Escape" && asked("peek") && !document.querySelector("dialog[open]") && setQuery({ peek: null });
    addEventListener("peek", open);
    addEventListener("keydown", leave);
    return () => {
      removeEventListener("peek", open);
      removeEventListener("keydown", leave);
    };
  }, []);
  const [kind = "", name = ""] = [wanted.slice(0, wanted.indexOf(":")), wanted.slice(wanted.indexOf(":") + 1)];
  const One = peekers[kind];
  if (!One) return null;
  return (
    <aside class="peek" aria-label={words.value.frame.peek}>
      <header>
        <ButtonLink small icon="arrow" href={link(`${kind}s`, name)}>
          {words.value.open}
        </ButtonLink>
        <span class="grow" />
        <Button small icon="x" label={words.value.close} onClick={() => setQuery({ peek: null })} />
      </header>
      <One key={name} name={name} />
    </aside>
  );
}
