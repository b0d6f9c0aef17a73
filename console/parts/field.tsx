// A labelled field with its help and the server's own sentence when it is refused.
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { Children } from "./basics.tsx";

export function Field({ label, help, error, children, row = false }: { label: string; help?: Children; error?: string | undefined; children: Children; row?: boolean }): JSX.Element {
  const id = useId();
  return (
    <label class={`field ${row ? "row" : ""} ${error ? "is-wrong" : ""}`} aria-describedby={id}>
      <span>{label}</span>
      {children}
      <span id={id} class="field-notes">
        {error && <span class="wrong" role="alert">{error}</span>}
        {help && <small>{help}</small>}
      </span>
    </label>
  );
}
