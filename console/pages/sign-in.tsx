// Sign-in: a token, checked before it is kept.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Refusal, call } from "../api/call.ts";
import type { WhoamiInfo } from "../api/schema.ts";
import { address, go, namespace, place } from "../live/route.ts";
import { signInWithToken } from "../live/session.ts";
import { Button, useTitle } from "../parts/basics.tsx";
import { Icon } from "../parts/icons.tsx";
import { language, setLanguage, words } from "../words/index.ts";

export function SignIn(): JSX.Element {
  const w = words.value;
  const text = useSignal("");
  const error = useSignal("");
  const busy = useSignal(false);
  useTitle(w.signIn.title);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (text.value.trim() === "") return void (error.value = w.signIn.empty);
    busy.value = true;
    try {
      await enter(text.value.trim());
    } catch (refused) {
      error.value = refused instanceof Refusal && refused.status !== 401 ? refused.message : w.signIn.wrong;
    } finally {
      busy.value = false;
    }
  };
  return (
    <main class="sign-in">
      <form class="panel" onSubmit={submit}>
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
        <label class="field">
          <span>{w.signIn.token}</span>
          <input
            class="input tall"
            type="password"
            name="token"
            autoComplete="current-password"
            autoFocus
            aria-invalid={error.value !== ""}
            aria-describedby="sign-in-help"
            value={text.value}
            onInput={(input) => (text.value = input.currentTarget.value)}
          />
        </label>
        {error.value && (
          <p class="is-failed wrong" role="alert">
            <Icon name="warn" /> {error.value}
          </p>
        )}
        <Button kind="main" type="submit">{busy.value ? w.signIn.busy : w.signIn.enter}</Button>
        <p id="sign-in-help" class="dim">{w.signIn.help}</p>
        <code class="sample">cat .mainspring/api.token</code>
      </form>
    </main>
  );
}

async function enter(token: string): Promise<void> {
  const { data } = await call<WhoamiInfo>("GET", "whoami", { headers: { authorization: `Bearer ${token}`, "mainspring-namespace": "default" } });
  const own = data.namespace === "*" ? namespace.value : data.namespace;
  if (place.value.namespace !== own) go(address(own, ["overview"]), { replace: true });
  signInWithToken(token);
}
