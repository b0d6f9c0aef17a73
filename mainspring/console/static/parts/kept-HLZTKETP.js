import {
  density,
  get,
  keys,
  language,
  ownZone,
  put,
  range,
  setDensity,
  setKeys,
  setLanguage,
  setRange,
  setTheme,
  setZone,
  theme,
  x,
  zone
} from "./chunk-K2CDJBIM.js";
import "./chunk-DPBHMWAZ.js";

// live/kept.ts
var PATH = "me/preferences";
function keepPreferences() {
  const before = chosenHere();
  let kept = null;
  let last = before;
  let sending = false;
  const send = async () => {
    if (sending || kept === null) return;
    sending = true;
    for (let next = changed(kept, last, chosenHere()); next !== null; next = changed(kept, last, chosenHere())) {
      last = chosenHere();
      kept = next;
      await put(PATH, next, { placeless: true }).catch(() => void 0);
    }
    sending = false;
  };
  let over = false;
  const stop = x(() => {
    chosenHere();
    void send();
  });
  void get(PATH, { placeless: true }).then(async ({ data }) => {
    if (over) return;
    const meanwhile = changed(data, before, chosenHere());
    await take(meanwhile ?? data);
    last = meanwhile === null ? chosenHere() : before;
    kept = { ...data };
    await send();
  }, () => void 0);
  return () => {
    over = true;
    kept = null;
    stop();
  };
}
function chosenHere() {
  return { language: language.value, theme: theme.value, density: density.value, zone: zone.value, own_zone: ownZone.value || null, keys: keys.value, range: range.value };
}
function changed(kept, since, now) {
  const names = Object.keys(now).filter((name) => now[name] !== since[name]);
  return names.length === 0 ? null : { ...kept, ...Object.fromEntries(names.map((name) => [name, now[name]])) };
}
async function take(of) {
  if (of.theme !== null) setTheme(of.theme);
  if (of.density !== null) setDensity(of.density);
  if (of.keys !== null) setKeys(of.keys);
  if (of.range !== null) setRange(of.range);
  if (of.own_zone !== null && isZone(of.own_zone)) ownZone.value = of.own_zone;
  if (of.zone !== null && isZone(of.zone)) setZone(of.zone);
  if (of.language !== null && of.language !== language.peek()) await setLanguage(of.language);
}
function isZone(name) {
  try {
    if (name !== "") new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
export {
  keepPreferences
};
