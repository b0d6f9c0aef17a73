// Runs of triggers by steps of time, as they are and as a spread makes them, on one scale.
import type { JSX } from "preact";
import type { TriggerSpread } from "../../api/schema.ts";
import { words } from "../../words/index.ts";

const [WIDTH, HEIGHT] = [560, 64];

export function BeforeAfter({ found, slots, says, last }: { found: TriggerSpread; slots: number; says: string; last: string }): JSX.Element {
  const w = words.value.triggers;
  const most = Math.max(1, ...found.before, ...found.after);
  return (
    <div class="before-after">
      <p><b>{says}</b> {last}</p>
      <Steps name={w.before} values={found.before} most={most} slots={slots} tone="waiting" />
      <Steps name={w.after} values={found.after} most={most} slots={slots} tone="accent" />
    </div>
  );
}

function Steps({ name, values, most, slots, tone }: { name: string; values: number[]; most: number; slots: number; tone: string }): JSX.Element {
  const slot = WIDTH / Math.max(1, values.length);
  const line = HEIGHT - (slots / most) * HEIGHT;
  return (
    <figure>
      <figcaption class="faint">{name}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${name}: ${values.join(", ")}`} preserveAspectRatio="none">
        <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} class="axis" />
        {values.map((value, place) => value > 0 && <rect key={place} x={place * slot + 1} width={Math.max(1, slot - 2)} y={HEIGHT - Math.max(2, (value / most) * HEIGHT)} height={Math.max(2, (value / most) * HEIGHT)} fill={`var(--${tone}-fill)`} />)}
        {line > 0 && line < HEIGHT && <line x1="0" x2={WIDTH} y1={line} y2={line} class="now" stroke-dasharray="4 3" />}
      </svg>
    </figure>
  );
}
