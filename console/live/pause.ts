// Whether a person has asked the page to hold still.
import { signal } from "@preact/signals";

export const paused = signal(false);
