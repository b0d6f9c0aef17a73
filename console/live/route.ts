// The address is the state: namespace, page, object, and everything a page shows of them.
import { computed, signal } from "@preact/signals";

export const ROOT = "/console/";

export interface Place {
  namespace: string;
  /** The page and what it is about: `["runs", "0198…"]`. */
  parts: string[];
  query: URLSearchParams;
  hash: string;
}

export type Changes = Record<string, string | number | boolean | null | undefined>;

export function parsePlace(path: string, search: string, hash: string): Place {
  const [namespace = "", ...parts] = path
    .replace(/^\/console\/?/, "")
    .split("/")
    .filter((part) => part !== "")
    .map(decode);
  return { namespace, parts, query: new URLSearchParams(search), hash: hash.replace(/^#/, "") };
}

/** A path below the namespace, such as `runs/0198…`; parts are escaped, `/` within a name included. */
export function address(namespace: string, parts: string[], query: Changes | URLSearchParams = {}): string {
  const search = (query instanceof URLSearchParams ? query : changed(new URLSearchParams(), query)).toString();
  const path = [namespace, ...parts].map(encodeURIComponent).join("/");
  return ROOT + path + (search === "" ? "" : `?${search}`);
}

/** The query with some parameters set, and those that are null, false or empty taken out. */
export function changed(query: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === false || value === "") next.delete(name);
    else next.set(name, value === true ? "1" : String(value));
  }
  return next;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const here = typeof location === "undefined" ? { pathname: ROOT, search: "", hash: "" } : location;

export const place = signal<Place>(parsePlace(here.pathname, here.search, here.hash));
export const namespace = computed(() => place.value.namespace || "default");
export const page = computed(() => place.value.parts[0] ?? "overview");

/** An address in the namespace that is shown. */
export function link(...parts: string[]): string {
  return address(namespace.value, parts);
}

export function linkWith(query: Changes, ...parts: string[]): string {
  return address(namespace.value, parts, query);
}

export function go(href: string, { replace = false }: { replace?: boolean } = {}): void {
  const before = place.value;
  history[replace ? "replaceState" : "pushState"](null, "", href);
  read();
  if (before.parts.join("/") !== place.value.parts.join("/") || before.namespace !== place.value.namespace) arrive();
}

/** Change what the page shows, in place; `push` where going back should undo it. */
export function setQuery(changes: Changes, { push = false }: { push?: boolean } = {}): void {
  const { namespace: name, parts, query, hash } = place.value;
  go(address(name, parts, changed(query, changes)) + (hash ? `#${hash}` : ""), { replace: !push });
}

export function asked(name: string): string {
  return place.value.query.get(name) ?? "";
}

function read(): void {
  place.value = parsePlace(location.pathname, location.search, location.hash);
}

/** Focus follows to the heading of a new page, so that a screen reader begins there. */
function arrive(): void {
  scrollTo(0, 0);
  requestAnimationFrame(() => document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true }));
}

export function followLinks(): void {
  addEventListener("popstate", read);
  addEventListener("hashchange", read);
  document.addEventListener("click", (event) => {
    const found = event.target instanceof Element ? event.target.closest("a") : null;
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!found || !plain || event.defaultPrevented || found.target || found.hasAttribute("download")) return;
    const url = new URL(found.href, location.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(ROOT)) return;
    event.preventDefault();
    go(url.pathname + url.search + url.hash);
  });
}
