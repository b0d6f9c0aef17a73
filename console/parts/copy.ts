// Copies text, also where plain HTTP leaves the browser's clipboard out of reach.
import { toast } from "./toasts.tsx";
import { words } from "../words/index.ts";

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  toast({ text: words.value.copied(text.length > 60 ? `${text.slice(0, 57)}…` : text) });
}

function copyBySelection(text: string): void {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "away";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
