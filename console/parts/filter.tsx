// A typed filter: what is understood stands as chips, the rest is typed, with completion of keys and of their values.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../words/index.ts";
import { Icon } from "./icons.tsx";

export interface Chip {
  key: string;
  value: string;
}

export interface FilterProps {
  label: string;
  chips: Chip[];
  keys: readonly string[];
  /** Values of a key that begin so, by index and never by a scan. */
  suggest: (key: string, prefix: string) => Promise<string[]>;
  read: (text: string) => { chips: Chip[]; wrong: string | null };
  write: (chip: Chip) => string;
  onChange: (chips: Chip[]) => void;
}

const WAIT = 90;

export function Filter({ label, chips, keys, suggest, read, write, onChange }: FilterProps): JSX.Element {
  const w = words.value;
  const text = useSignal("");
  const offers = useSignal<string[]>([]);
  const at = useSignal(-1);
  const wrong = useSignal<string | null>(null);
  const open = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    let stale = false;
    const timer = setTimeout(() => void offered(text.value, keys, suggest).then((found) => !stale && (offers.value = found)), WAIT);
    at.value = -1;
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [text.value]);
  const take = () => {
    const found = read(text.value);
    wrong.value = found.wrong;
    if (found.wrong !== null) return;
    text.value = "";
    open.value = false;
    onChange([...chips, ...found.chips]);
  };
  const choose = (offer: string) => {
    text.value = text.value.replace(/\S*$/, "") + offer;
    if (!offer.endsWith(":")) take();
    input.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const offer = offers.value[at.value] ?? (event.key === "Tab" && text.value !== "" ? offers.value[0] : undefined);
    if (step !== 0 && offers.value.length > 0) {
      event.preventDefault();
      open.value = true;
      at.value = (at.value + step + offers.value.length) % offers.value.length;
    } else if ((event.key === "Tab" || event.key === "Enter") && offer) {
      event.preventDefault();
      choose(offer);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (text.value.trim() !== "") take();
    } else if (event.key === "Backspace" && text.value === "" && chips.length > 0) {
      event.preventDefault();
      const last = chips.at(-1);
      if (last) text.value = write(last);
      onChange(chips.slice(0, -1));
    } else if (event.key === "Escape") {
      open.value = false;
      input.current?.blur();
    }
  };
  return (
    <div class="filter">
      <div class="filter-box">
        <Icon name="find" />
        {chips.map((chip, place) => (
          <button key={`${chip.key}:${chip.value}`} type="button" class="chip" title={w.filter.drop} onClick={() => onChange(chips.filter((_, other) => other !== place))}>
            {write(chip)} <Icon name="x" />
          </button>
        ))}
        <input
          ref={input}
          data-filter
          role="combobox"
          aria-label={label}
          aria-expanded={open.value}
          aria-controls="filter-offers"
          aria-autocomplete="list"
          aria-invalid={wrong.value !== null}
          placeholder={chips.length === 0 ? w.filter.placeholder : ""}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            wrong.value = null;
            open.value = true;
          }}
          onFocus={() => (open.value = true)}
          onBlur={() => setTimeout(() => (open.value = false), 150)}
          onKeyDown={onKey}
        />
      </div>
      {wrong.value !== null && <p class="wrong" role="alert">{wrong.value}</p>}
      <ul id="filter-offers" role="listbox" aria-label={label} hidden={!open.value || offers.value.length === 0}>
        {offers.value.map((offer, place) => (
          <li key={offer} role="option" aria-selected={place === at.value} onMouseDown={(event) => { event.preventDefault(); choose(offer); }}>
            <code>{offer}</code>
          </li>
        ))}
        <li class="help" role="presentation">{w.filter.help}</li>
      </ul>
    </div>
  );
}

async function offered(text: string, keys: readonly string[], suggest: FilterProps["suggest"]): Promise<string[]> {
  const word = /\S*$/.exec(text)?.[0] ?? "";
  const colon = word.indexOf(":");
  if (colon < 0) return keys.filter((key) => key.startsWith(word)).map((key) => (key === "label" ? "label." : `${key}:`));
  const key = word.slice(0, colon);
  const parts = word.slice(colon + 1).split(",");
  const done = parts.slice(0, -1).map((one) => `${one},`).join("");
  const values = await suggest(key, parts.at(-1) ?? "").catch(() => []);
  return values.slice(0, 8).map((value) => `${key}:${done}${value}`);
}
