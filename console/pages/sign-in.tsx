// Sign-in by name and password, or by a token; and the page where an invitation becomes a password.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Refusal, get, part, post } from "../api/call.ts";
import type { InvitationInfo, ProviderInfo, ProviderList, SignedInInfo } from "../api/schema.ts";
import { recognise } from "../live/enter.ts";
import { address, asked, go, place } from "../live/route.ts";
import { person } from "../live/session.ts";
import { Button, type Children, useTitle } from "../parts/basics.tsx";
import { Icon } from "../parts/icons.tsx";
import { language, setLanguage, words } from "../words/index.ts";
import type { reasonOf } from "./sign-in-refused.ts";

export function SignIn(): JSX.Element {
  const w = words.value.signIn;
  const name = useSignal(person.peek());
  const password = useSignal("");
  const token = useSignal("");
  const act = useAct(async () => {
    const body = token.value.trim() === "" ? { name: name.value, password: password.value } : { token: token.value.trim() };
    await post<SignedInInfo>("sign-in", body);
    await recognise();
  });
  const reason = useReason(asked("refused"));
  useTitle(w.title);
  return (
    <Card onSubmit={act.submit} title={person.value === "" ? w.title : w.again}>
      <Entry label={w.name} name="name" complete="username" value={name} focus wrong={act.error.value !== ""} />
      <Entry label={w.password} name="password" complete="current-password" value={password} secret wrong={act.error.value !== ""} />
      <Wrong text={act.error.value || reason} />
      <Button kind="main" type="submit">{act.busy.value ? w.busy : w.enter}</Button>
      <Providers />
      <details>
        <summary>{w.withToken}</summary>
        <Entry label={w.token} name="token" complete="off" value={token} secret wrong={false} />
        <p class="dim">{w.help}</p>
        <code class="sample">cat .mainspring/api.token</code>
      </details>
    </Card>
  );
}

/** Why a provider sent somebody back: its words come when they are needed. */
function useReason(code: string): string {
  const found = useSignal<typeof reasonOf | null>(null);
  useEffect(() => {
    if (code) void import("./sign-in-refused.ts").then((part) => (found.value = part.reasonOf));
  }, [code]);
  return found.value?.(code, language.value) ?? "";
}

/** Where else one may sign in: the browser goes there, and comes back to this page signed in. */
function Providers(): JSX.Element | null {
  const found = useSignal<ProviderInfo[]>([]);
  useEffect(() => {
    // Those who cannot be asked are asked again by the next visit; a password works without them.
    get<ProviderList>("sign-in/providers").then(({ data }) => (found.value = data.providers), () => undefined);
  }, []);
  if (found.value.length === 0) return null;
  const then = encodeURIComponent(location.pathname + location.search);
  return (
    <p class="acts providers">
      {found.value.map((one) => (
        <a key={one.name} class="button plain" href={`/api/v1/sign-in/providers/${part(one.name)}?then=${then}`}>{words.value.signIn.at(one.title)}</a>
      ))}
    </p>
  );
}

/** `/console/start#<code>`: the code stands after `#`, so that no log has it. */
export function Start(): JSX.Element {
  const w = words.value.signIn;
  const code = place.value.hash;
  const found = useSignal<InvitationInfo | null>(null);
  const gone = useSignal("");
  const name = useSignal("");
  const password = useSignal("");
  const act = useAct(async () => {
    await post<SignedInInfo>("invitations/accept", { code, name: name.value, password: password.value });
    go(address("default", ["overview"]), { replace: true });
    await recognise();
  });
  useTitle(w.start);
  useEffect(() => {
    post<InvitationInfo>("invitations/show", { code: code || "-" }).then(
      ({ data }) => (found.value = data),
      (refused: unknown) => (gone.value = refused instanceof Refusal && refused.status !== 404 ? refused.message : w.gone),
    );
  }, [code]);
  if (gone.value !== "") {
    return (
      <Card title={w.start}>
        <Wrong text={gone.value} />
        <code class="sample">mainspring users invite NAME</code>
        <a class="link" href="/console/">{w.title}</a>
      </Card>
    );
  }
  const first = found.value?.name === "";
  return (
    <Card onSubmit={act.submit} title={first ? w.firstAdmin : w.start}>
      {found.value && !first && <p>{w.invited(found.value.name)}</p>}
      {first && <Entry label={w.name} name="name" complete="username" value={name} focus wrong={act.field.value === "name"} />}
      <Entry label={w.password} name="password" complete="new-password" value={password} secret help={w.passwordHelp} wrong={act.field.value === "password"} />
      <Wrong text={act.error.value} />
      <Button kind="main" type="submit">{act.busy.value ? w.busy : first ? w.makeAdmin : w.choose}</Button>
    </Card>
  );
}

function Card({ title, onSubmit, children }: { title: string; onSubmit?: (event: Event) => void; children: Children }): JSX.Element {
  return (
    <main class="sign-in">
      <form class="panel" onSubmit={onSubmit ?? ((event) => event.preventDefault())}>
        <header>
          <svg class="spring" aria-hidden="true">
            <use href="#spring" />
          </svg>
          <h1 tabIndex={-1}>Mainspring</h1>
          <span class="grow" />
          <Button small onClick={() => void setLanguage(language.value === "zh" ? "en" : "zh")}>
            {language.value === "zh" ? "English" : "中文"}
          </Button>
        </header>
        <h2>{title}</h2>
        {children}
      </form>
    </main>
  );
}

interface EntryProps {
  label: string;
  name: string;
  complete: string;
  value: { value: string };
  wrong: boolean;
  secret?: boolean;
  focus?: boolean;
  help?: string;
}

function Entry({ label, name, complete, value, wrong, secret, focus, help }: EntryProps): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input tall"
        type={(secret ? "password" : "text") as "password"}
        name={name}
        autoComplete={complete}
        autoFocus={focus ?? false}
        autoCapitalize="none"
        spellcheck={false}
        aria-invalid={wrong}
        value={value.value}
        onInput={(input) => (value.value = input.currentTarget.value)}
      />
      {help && <small class="dim">{help}</small>}
    </label>
  );
}

function Wrong({ text }: { text: string }): JSX.Element | null {
  if (text === "") return null;
  return (
    <p class="is-failed wrong" role="alert">
      <Icon name="warn" /> {text}
    </p>
  );
}

/** One act of a form: busy while it runs, and what the server had against it. */
function useAct(run: () => Promise<void>) {
  const error = useSignal("");
  const field = useSignal("");
  const busy = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    busy.value = true;
    error.value = field.value = "";
    try {
      await run();
    } catch (refused) {
      const known = refused instanceof Refusal ? refused : null;
      field.value = known?.field ?? "";
      error.value = sentenceOf(known);
    } finally {
      busy.value = false;
    }
  };
  return { error, field, busy, submit };
}

function sentenceOf(refused: Refusal | null): string {
  const w = words.value.signIn;
  if (refused === null) return w.wrong;
  if (refused.code === "too_many_tries") return w.locked(Number(refused.problem["retry_after"] ?? 30));
  if (refused.code === "token_unknown") return w.wrongToken;
  return refused.status === 401 ? w.wrong : refused.message;
}
