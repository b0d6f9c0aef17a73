// Begins: signs in, follows the address, and shows its page in the frame.
import { render } from "preact";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { WhoamiInfo } from "./api/schema.ts";
import { Frame } from "./frame/frame.tsx";
import { KeysHelp, startEverywhereKeys } from "./frame/keys.tsx";
import { Peek } from "./frame/peek.tsx";
import { PageOf } from "./frame/router.tsx";
import { startClock } from "./live/clock.ts";
import { recognise } from "./live/enter.ts";
import { SETTLED, settled } from "./live/settled.ts";
import { density } from "./live/preferences.ts";
import { forgetAll, readAhead, startTending, useResource } from "./live/resource.ts";
import { followLinks, place } from "./live/route.ts";
import { grant } from "./live/rights.ts";
import { person, signedIn } from "./live/session.ts";
import { startStream } from "./live/stream.ts";
import { StartDialog } from "./pages/runs/start.tsx";
import { SignIn, Start } from "./pages/sign-in.tsx";
import { Shown } from "./parts/basics.tsx";
import { Dialogs } from "./parts/dialog.tsx";
import { Forms } from "./parts/form.tsx";
import { Sprite } from "./parts/icons.tsx";
import { Palette } from "./parts/palette.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { loadLanguage } from "./words/index.ts";
import "./style/app.css";

function Console(): JSX.Element {
  return (
    <>
      <Sprite />
      {isStart() && <Start />}
      {!isStart() && !signedIn.value && <SignIn />}
      {!isStart() && person.value !== "" && (
        <div key={person.value} class="whole" hidden={!signedIn.value}>
          <SignedIn />
        </div>
      )}
      <Toasts />
    </>
  );
}

function isStart(): boolean {
  return place.value.namespace === "start" && place.value.parts.length === 0;
}

function SignedIn(): JSX.Element {
  const who = useResource<WhoamiInfo>("whoami", { every: 60_000 });
  const found = who.data.value ?? grant.value;
  useEffect(() => {
    if (who.data.value) grant.value = who.data.value;
  }, [who.data.value]);
  useEffect(() => {
    let end = () => {};
    let gone = false;
    void import("./live/kept.ts").then(({ keepPreferences }) => gone || (end = keepPreferences()), () => undefined);
    return () => {
      gone = true;
      end();
    };
  }, []);
  if (!found) return <div class="alone"><Shown of={who}>{() => null}</Shown></div>;
  return (
    <>
      <Frame who={found}>
        <PageOf />
      </Frame>
      <Peek />
      <Palette />
      <Dialogs />
      <Forms />
      <StartDialog />
      <KeysHelp />
    </>
  );
}

async function begin(): Promise<void> {
  // Asked for beside who it is: nothing of it is shown unless the server knows the person.
  if (!isStart()) readAhead("overview");
  await loadLanguage();
  followLinks();
  startClock();
  startTending();
  startStream();
  startEverywhereKeys();
  // Whoever cannot be asked now is asked by the sign-in page.
  if (!isStart() && !(await recognise().catch(() => false))) forgetAll();
  document.documentElement.dataset["density"] = density.peek();
  render(<Console />, document.getElementById("app") as HTMLElement);
  setTimeout(() => (settled.value = true), SETTLED);
}

void begin();
