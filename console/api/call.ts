// Calls to the API: JSON in and out, refusals as problems with their code, field and sentence.
import { credentials, enter, expire } from "../live/session.ts";
import { noteServerTime } from "../live/clock.ts";
import { namespace } from "../live/route.ts";

export class Refusal extends Error {
  status: number;
  code: string;
  field: string | null;
  /** The whole problem, for what a code carries besides. */
  problem: Record<string, unknown>;

  constructor(status: number, problem: Record<string, unknown>) {
    super(String(problem["detail"] ?? problem["title"] ?? `the server answered ${status}`));
    this.status = status;
    this.code = String(problem["code"] ?? `http_${status}`);
    this.field = typeof problem["field"] === "string" ? problem["field"] : null;
    this.problem = problem;
  }
}

export interface Answer<T> {
  data: T;
  /** The body as it came: inputs and results are shown from it, to the digit. */
  text: string;
  etag: string;
}

export interface Wanted {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** About no namespace in particular. */
  placeless?: boolean;
}

/** The namespace goes with every call; the path is below `/api/v1/`, or from the root if it begins with a slash. */
export async function call<T>(method: string, path: string, wanted: Wanted = {}): Promise<Answer<T>> {
  let response = await ask(method, path, wanted);
  let text = await response.text();
  if (response.status === 403 && refusalOf(response, text).code === "forbidden_csrf" && (await renew())) {
    response = await ask(method, path, wanted);
    text = await response.text();
  }
  if (!response.ok) throw refusalOf(response, text);
  return { data: (text === "" ? null : JSON.parse(text)) as T, text, etag: response.headers.get("etag") ?? "" };
}

/** What is about no namespace in particular: without one, all that the person reaches are answered. */
const PLACELESS = /^(tokens|namespaces|users|sign-in|invitations)\b/;

/** Another tab has signed in anew: take the word of the cookie that is there now. */
async function renew(): Promise<boolean> {
  const response = await ask("GET", "whoami", { placeless: true });
  if (!response.ok) return false;
  const { name, csrf } = (await response.json()) as { name: string; csrf: string };
  enter(name, csrf);
  return true;
}

export async function ask(method: string, path: string, wanted: Wanted = {}): Promise<Response> {
  const placeless = wanted.placeless || PLACELESS.test(path);
  const about: Record<string, string> = placeless ? {} : { "mainspring-namespace": namespace.value };
  const headers: Record<string, string> = { ...credentials(method), ...about, ...wanted.headers };
  if (wanted.body !== undefined) headers["content-type"] = "application/json";
  let response: Response;
  try {
    response = (await earlyAnswer(method, placeless ? path : `${namespace.value} ${path}`)) ?? await fetch(urlOf(path), {
      method,
      headers,
      body: wanted.body === undefined ? null : written(wanted.body),
      signal: wanted.signal ?? null,
      cache: "no-store",
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refusal(0, { code: "unreachable", detail: "the server cannot be reached" });
  }
  noteServerTime(response.headers.get("date"));
  if (response.status === 401) expire();
  return response;
}

/** What the first script asked for, once. */
async function earlyAnswer(method: string, key: string): Promise<Response | undefined> {
  const early = (globalThis as { firstAnswers?: Record<string, Promise<Response>> }).firstAnswers;
  const answer = method === "GET" ? early?.[key] : undefined;
  if (!early || !answer) return undefined;
  delete early[key];
  return answer.catch(() => undefined);
}

export function urlOf(path: string): string {
  return path.startsWith("/") ? path : `/api/v1/${path}`;
}

/** A body that is text already is sent as it stands: an input keeps every digit of its numbers. */
function written(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

export function refusalOf(response: Response, text: string): Refusal {
  try {
    return new Refusal(response.status, JSON.parse(text) as Record<string, unknown>);
  } catch {
    return new Refusal(response.status, { detail: text.slice(0, 200) || response.statusText });
  }
}

export const get = <T>(path: string, wanted?: Wanted) => call<T>("GET", path, wanted);
export const post = <T>(path: string, body: unknown = {}, wanted: Wanted = {}) => call<T>("POST", path, { ...wanted, body });
export const put = <T>(path: string, body: unknown, wanted: Wanted = {}) => call<T>("PUT", path, { ...wanted, body });
export const patch = <T>(path: string, body: unknown, wanted: Wanted = {}) => call<T>("PATCH", path, { ...wanted, body });
export const remove = (path: string, wanted: Wanted = {}) => call<unknown>("DELETE", path, wanted);

/** A part of a path: a slash within a name is not one of the path. */
export const part = encodeURIComponent;

/** A path with parameters; those that are empty are left out, and lists repeat. */
export function query(path: string, parameters: Record<string, string | number | boolean | string[] | null | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (Array.isArray(value)) for (const one of value) search.append(name, one);
    else if (value !== null && value !== undefined && value !== "" && value !== false) search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}
