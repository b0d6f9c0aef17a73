// What can be looked into beside a list.
import type { FunctionComponent } from "preact";
import { RunPeek } from "../pages/runs/peek.tsx";

export const peekers: Record<string, FunctionComponent<{ name: string }>> = { run: RunPeek };
