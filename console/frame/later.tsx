// A component that comes as a part of its own when it is shown first.
import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { Waiting } from "../parts/basics.tsx";

export type Named = FunctionComponent<{ name: string }>;

export function later(bring: () => Promise<Named>): Named {
  const found = signal<Named | null>(null);
  return (props) => {
    const Found = found.value;
    if (Found) return <Found {...props} />;
    void bring().then((one) => (found.value = one));
    return <Waiting rows={6} />;
  };
}
