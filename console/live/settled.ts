// Reads that no first page waits for begin once it is shown.
import { signal } from "@preact/signals";

export const SETTLED = 400;
export const settled = signal(false);
