// The states of a breaker over a time, from its changes; pure, so that tests need no browser.

export interface Piece {
  state: string;
  from: number;
  seconds: number;
  /** Of the whole time. */
  share: number;
}

/** Changes come newest first; before the first known change stood what it changed from. */
export function bandOf(changes: { at: string; was: string; state: string }[], state: string, since: number, until: number): Piece[] {
  const pieces: Piece[] = [];
  let end = until;
  let shown = changes[0]?.state ?? state;
  for (const change of changes) {
    const at = Math.max(since, Date.parse(change.at));
    if (at < end) pieces.push(pieceOf(shown, at, end, until - since));
    end = Math.min(end, at);
    shown = change.was;
    if (at <= since) break;
  }
  if (end > since) pieces.push(pieceOf(shown, since, end, until - since));
  return pieces.reverse();
}

function pieceOf(state: string, from: number, to: number, whole: number): Piece {
  return { state, from, seconds: (to - from) / 1000, share: (to - from) / whole };
}
