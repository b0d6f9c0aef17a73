// Tables: sticky heads, numbers at the right, rows that can be walked, chosen and looked into, and cards on a narrow screen.
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { words } from "../words/index.ts";
import type { Children } from "./basics.tsx";

export interface Column<T> {
  id: string;
  name: string;
  cell: (row: T) => Children;
  num?: boolean;
  /** Takes the room that the others leave, and cuts what does not fit. */
  wide?: boolean;
  title?: string;
  /** Left out of cards. */
  minor?: boolean;
}

export interface TableProps<T> {
  label: string;
  rows: T[];
  columns: Column<T>[];
  keyOf: (row: T) => string;
  /** Keys of chosen rows; without it rows cannot be chosen. */
  chosen?: Signal<Set<string>>;
  toneOf?: (row: T) => string;
  /** What Space looks into. */
  peekOf?: (row: T) => string;
  foot?: Children;
}

export function Table<T>({ label, rows, columns, keyOf, chosen, toneOf, peekOf, foot }: TableProps<T>): JSX.Element {
  const all = rows.map(keyOf);
  return (
    <div class="table-box" role="region" aria-label={label} tabIndex={0}>
      <table aria-rowcount={rows.length}>
        <thead>
          <tr>
            {chosen && (
              <th class="check">
                <ChooseAll chosen={chosen} all={all} />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.id} scope="col" class={`${column.num ? "num" : ""} ${column.wide ? "wide" : ""}`} title={column.title}>
                {column.name || <span class="away">{words.value.actsColumn}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={keyOf(row)} row={row} id={keyOf(row)} columns={columns} chosen={chosen} tone={toneOf?.(row) ?? ""} peek={peekOf?.(row)} />
          ))}
        </tbody>
      </table>
      {foot}
    </div>
  );
}

interface RowProps<T> {
  row: T;
  id: string;
  columns: Column<T>[];
  chosen: Signal<Set<string>> | undefined;
  tone: string;
  peek: string | undefined;
}

function Row<T>({ row, id, columns, chosen, tone, peek }: RowProps<T>): JSX.Element {
  const on = chosen?.value.has(id) ?? false;
  return (
    <tr data-key={id} data-peek={peek} class={`${tone} ${on ? "chosen" : ""}`}>
      {chosen && (
        <td class="check">
          <input type="checkbox" aria-label={words.value.choose(id)} checked={on} onChange={() => toggle(chosen, id)} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} data-label={column.name} class={`${column.num ? "num" : ""} ${column.wide ? "wide" : ""} ${column.minor ? "minor" : ""}`}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

function ChooseAll({ chosen, all }: { chosen: Signal<Set<string>>; all: string[] }): JSX.Element {
  const every = all.length > 0 && all.every((key) => chosen.value.has(key));
  return (
    <input
      type="checkbox"
      aria-label={words.value.chooseAll}
      checked={every}
      onChange={() => (chosen.value = every ? new Set() : new Set([...chosen.value, ...all]))}
    />
  );
}

export function toggle(chosen: Signal<Set<string>>, key: string): void {
  const next = new Set(chosen.value);
  if (!next.delete(key)) next.add(key);
  chosen.value = next;
}
