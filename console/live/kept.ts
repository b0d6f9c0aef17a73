// What a person chose, in every browser: read when the person comes in, and kept on the server whenever it changes.
// What was never chosen stays as this browser has it.
import { effect } from "@preact/signals";
import { get, put } from "../api/call.ts";
import type { PreferencesInfo } from "../api/schema.ts";
import { language, setLanguage } from "../words/index.ts";
import { type Density, type Range, type Theme, density, keys, ownZone, range, setDensity, setKeys, setRange, setTheme, setZone, theme, zone } from "./preferences.ts";

type Choices = { -readonly [name in keyof PreferencesInfo]: PreferencesInfo[name] };

const PATH = "me/preferences";

/** Begins for a person; gives the end of it. */
export function keepPreferences(): () => void {
  const before = chosenHere();
  let kept: Choices | null = null;
  let last = before;
  let sending = false;
  const send = async () => {
    if (sending || kept === null) return;
    sending = true;
    for (let next = changed(kept, last, chosenHere()); next !== null; next = changed(kept, last, chosenHere())) {
      last = chosenHere();
      kept = next;
      // What the server does not take stays in this browser.
      await put(PATH, next, { placeless: true }).catch(() => undefined);
    }
    sending = false;
  };
  let over = false;
  const stop = effect(() => {
    chosenHere();
    void send();
  });
  void get<PreferencesInfo>(PATH, { placeless: true }).then(async ({ data }) => {
    if (over) return;
    const meanwhile = changed(data, before, chosenHere());
    await take(meanwhile ?? data);
    last = meanwhile === null ? chosenHere() : before;
    kept = { ...data };
    await send();
  }, () => undefined);
  return () => {
    over = true;
    kept = null;
    stop();
  };
}

function chosenHere(): Choices {
  return { language: language.value, theme: theme.value, density: density.value, zone: zone.value, own_zone: ownZone.value || null, keys: keys.value, range: range.value };
}

/** What is kept with what was chosen since; null: nothing was. */
function changed(kept: Choices, since: Choices, now: Choices): Choices | null {
  const names = (Object.keys(now) as (keyof Choices)[]).filter((name) => now[name] !== since[name]);
  return names.length === 0 ? null : { ...kept, ...Object.fromEntries(names.map((name) => [name, now[name]])) };
}

async function take(of: Choices): Promise<void> {
  if (of.theme !== null) setTheme(of.theme as Theme);
  if (of.density !== null) setDensity(of.density as Density);
  if (of.keys !== null) setKeys(of.keys);
  if (of.range !== null) setRange(of.range as Range);
  if (of.own_zone !== null && isZone(of.own_zone)) ownZone.value = of.own_zone;
  if (of.zone !== null && isZone(of.zone)) setZone(of.zone);
  if (of.language !== null && of.language !== language.peek()) await setLanguage(of.language as "en" | "zh");
}

/** Whether this browser knows it; another one may know more. */
function isZone(name: string): boolean {
  try {
    if (name !== "") new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
