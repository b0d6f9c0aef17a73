// JSON as a tree that folds, from its exact text.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { words } from "../words/index.ts";
import { Button } from "./basics.tsx";
import { copy } from "./copy.ts";
import { type Exact, writeExact } from "./exact.ts";

const MANY = 100;

export function JsonView({ node, label }: { node: Exact | undefined; label: string }): JSX.Element {
  const w = words.value;
  if (!node) return <p class="quiet">{w.json.none}</p>;
  return (
    <div class="json" role="group" aria-label={label}>
      <div class="json-tools">
        <h3>{label}</h3>
        <span class="grow" />
        <Button small icon="copy" label={w.copy} onClick={() => copy(writeExact(node))} />
      </div>
      <div class="json-tree"><Node node={node} depth={0} /></div>
    </div>
  );
}

function Node({ node, depth }: { node: Exact; depth: number }): JSX.Element {
  const closed = useSignal(depth > 2);
  if (node.kind === "string") return <span class="json-string">{JSON.stringify(node.value)}</span>;
  if (node.kind === "number") return <span class="json-number">{node.text}</span>;
  if (node.kind === "literal") return <span class="json-literal">{node.text}</span>;
  const entries: [string, Exact][] = node.kind === "object" ? node.entries : node.items.map((item, place) => [String(place), item]);
  const [open, close] = node.kind === "object" ? ["{", "}"] : ["[", "]"];
  if (entries.length === 0) return <span class="faint">{open}{close}</span>;
  const line = writeExact(node, depth);
  if (!line.includes("\n") && line.length < 60 && depth > 0) return <Line node={node} />;
  return (
    <>
      <button type="button" class="json-fold" aria-expanded={!closed.value} onClick={() => (closed.value = !closed.value)}>
        {closed.value ? "▸" : "▾"} <span class="faint">{open}{closed.value ? ` … ${entries.length} ${close}` : ""}</span>
      </button>
      {!closed.value && (
        <ul>
          {entries.slice(0, MANY).map(([key, value]) => (
            <li key={key}>
              <span class={node.kind === "object" ? "json-key" : "faint"}>{key}</span>
              <span class="faint">: </span>
              <Node node={value} depth={depth + 1} />
            </li>
          ))}
          {entries.length > MANY && <li class="faint">{words.value.json.more(entries.length - MANY)}</li>}
        </ul>
      )}
    </>
  );
}

/** Small things in one line. */
function Line({ node }: { node: Exact }): JSX.Element {
  if (node.kind === "object") {
    return <span>{"{ "}{node.entries.map(([key, value], place) => <span key={key}>{place > 0 && ", "}<span class="json-key">{key}</span>: <Line node={value} /></span>)}{" }"}</span>;
  }
  if (node.kind === "array") return <span>[{node.items.map((value, place) => <span key={place}>{place > 0 && ", "}<Line node={value} /></span>)}]</span>;
  return <Node node={node} depth={0} />;
}
