// A screen on a wall (`?wall=1`): larger type, no rail, and one namespace after the other.
import { useEffect } from "preact/hooks";
import { address, asked, go, namespace, place } from "../live/route.ts";

const TURN = 20_000;

export const isWall = () => asked("wall") === "1";

export function useWall(names: string[]): void {
  const on = isWall();
  useEffect(() => {
    if (!on || names.length < 2) return;
    const timer = setInterval(() => {
      const next = names[(names.indexOf(namespace.peek()) + 1) % names.length];
      if (next) go(address(next, place.peek().parts, { wall: "1" }));
    }, TURN);
    return () => clearInterval(timer);
  }, [on, names.join(" ")]);
}
