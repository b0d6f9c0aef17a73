// Icons as one sprite: 16 px, drawn in strokes; those of states are told apart by shape alone.
import type { JSX } from "preact";

export function Sprite(): JSX.Element {
  return (
    <svg hidden aria-hidden="true">
      <defs>
        <symbol id="spring" viewBox="0 0 22 22">
          <path d="M11 11.2c.3-.9 1.8-.6 2 .6.3 1.7-1.3 2.9-3 2.5-2.2-.5-3.2-3-2.3-5.1 1.1-2.6 4.2-3.5 6.7-2.2 3 1.6 3.9 5.5 2.3 8.5-1.9 3.5-6.5 4.5-9.9 2.5C2.9 15.7 1.8 10.6 4 6.7 5.5 4 8.3 2.3 11.3 2.1" fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round"/>
          <circle cx="11.3" cy="2.1" r="1.7" fill="currentColor"/>
        </symbol>
        <symbol id="s-queued" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray=".1 3.418" stroke-linecap="round"/>
        </symbol>
        <symbol id="s-waiting" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.6"/>
          <path d="M6.3 5.8v4.4M9.7 5.8v4.4" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>
        </symbol>
        <symbol id="s-running" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="2" opacity=".25"/>
          <path d="M8 2a6 6 0 0 1 6 6" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>
          <circle cx="8" cy="8" r="1.7" fill="currentColor"/>
        </symbol>
        <symbol id="s-succeeded" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="7" fill="currentColor"/>
          <path d="m4.9 8.2 2.2 2.2 4.1-4.6" fill="none" stroke="var(--surface)" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>
        </symbol>
        <symbol id="s-failed" viewBox="0 0 16 16">
          <path d="M8 .4 15.6 8 8 15.6.4 8z" fill="currentColor" stroke="currentColor" stroke-width=".8" stroke-linejoin="round"/>
          <path d="m5.9 5.9 4.2 4.2m0-4.2-4.2 4.2" stroke="var(--surface)" stroke-width="1.6" stroke-linecap="round"/>
        </symbol>
        <symbol id="s-cancelled" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.6"/>
          <path d="m4 12 8-8" stroke="currentColor" stroke-width="1.6"/>
        </symbol>
        <symbol id="s-skipped" viewBox="0 0 16 16">
          <path d="m3.5 4 4 4-4 4m5-8 4 4-4 4" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>
        </symbol>
        <symbol id="i-overview" viewBox="0 0 16 16">
          <path d="M2 12.5a6 6 0 1 1 12 0M8 12.5l2.6-4.2"/>
        </symbol>
        <symbol id="i-runs" viewBox="0 0 16 16">
          <path d="M2 4h8M2 8h12M2 12h6"/>
        </symbol>
        <symbol id="i-jobs" viewBox="0 0 16 16">
          <path d="M3 2.5h7l3 3v8H3zM5.5 8h5M5.5 10.8h3.5"/>
        </symbol>
        <symbol id="i-triggers" viewBox="0 0 16 16">
          <circle cx="8" cy="8.5" r="5.5"/>
          <path d="M8 5.5v3.2l2 1.3M6.3 1.5h3.4"/>
        </symbol>
        <symbol id="i-workflows" viewBox="0 0 16 16">
          <circle cx="3.6" cy="8" r="1.8"/>
          <circle cx="12.4" cy="3.8" r="1.8"/>
          <circle cx="12.4" cy="12.2" r="1.8"/>
          <path d="M5.4 8c3 0 2-4.2 5.2-4.2M5.4 8c3 0 2 4.2 5.2 4.2"/>
        </symbol>
        <symbol id="i-failures" viewBox="0 0 16 16">
          <path d="M8 1.8 14.2 8 8 14.2 1.8 8zM8 5.2v3.4M8 10.9v.1"/>
        </symbol>
        <symbol id="i-queues" viewBox="0 0 16 16">
          <path d="M2 4.5h12M2 8h12M2 11.5h12" stroke-dasharray="2.6 2.1"/>
        </symbol>
        <symbol id="i-executors" viewBox="0 0 16 16">
          <rect x="2" y="3" width="12" height="4" rx="1"/>
          <rect x="2" y="9" width="12" height="4" rx="1"/>
          <path d="M4.5 5h.1M4.5 11h.1"/>
        </symbol>
        <symbol id="i-breakers" viewBox="0 0 16 16">
          <path d="M1.5 10h3.7l4.6-5M10.5 10h4"/>
          <circle cx="5.5" cy="10" r=".8"/>
          <circle cx="10.5" cy="10" r=".8"/>
        </symbol>
        <symbol id="i-alerts" viewBox="0 0 16 16">
          <path d="M4 11V7.2a4 4 0 0 1 8 0V11l1.2 1.5H2.8zM6.7 14h2.6"/>
        </symbol>
        <symbol id="i-cluster" viewBox="0 0 16 16">
          <path d="m8 1.8 5.4 3.1v6.2L8 14.2l-5.4-3.1V4.9zM2.8 5 8 8l5.2-3M8 8v6"/>
        </symbol>
        <symbol id="i-audit" viewBox="0 0 16 16">
          <path d="M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3"/>
        </symbol>
        <symbol id="i-admin" viewBox="0 0 16 16">
          <circle cx="8" cy="5.5" r="2.8"/>
          <path d="M2.8 13.7c.6-2.8 2.6-4.2 5.2-4.2s4.6 1.4 5.2 4.2"/>
        </symbol>
        <symbol id="i-star" viewBox="0 0 16 16">
          <path d="m8 2 1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z"/>
        </symbol>
        <symbol id="i-find" viewBox="0 0 16 16">
          <circle cx="7" cy="7" r="4.3"/>
          <path d="m10.3 10.3 3.4 3.4"/>
        </symbol>
        <symbol id="i-down" viewBox="0 0 16 16">
          <path d="m4.5 6.5 3.5 3.5 3.5-3.5"/>
        </symbol>
        <symbol id="i-theme" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="5.5"/>
          <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor"/>
        </symbol>
        <symbol id="i-copy" viewBox="0 0 16 16">
          <rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/>
          <path d="M10.5 3H4a1.5 1.5 0 0 0-1.5 1.5v6"/>
        </symbol>
        <symbol id="i-more" viewBox="0 0 16 16">
          <path d="M3.5 8h.1M8 8h.1M12.5 8h.1" stroke-width="2.2"/>
        </symbol>
        <symbol id="i-flag" viewBox="0 0 16 16">
          <path d="M3.5 14V2.5h8l-1.8 3 1.8 3h-8"/>
        </symbol>
        <symbol id="i-warn" viewBox="0 0 16 16">
          <path d="M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.7v.1"/>
        </symbol>
        <symbol id="i-moon" viewBox="0 0 16 16">
          <path d="M13 9.8A5.5 5.5 0 0 1 6.2 3 5.5 5.5 0 1 0 13 9.8z"/>
        </symbol>
        <symbol id="i-stop" viewBox="0 0 16 16">
          <rect x="4" y="4" width="8" height="8" rx="1"/>
        </symbol>
        <symbol id="i-save" viewBox="0 0 16 16">
          <path d="M8 2.5v7.2M5 7l3 3 3-3M2.8 13h10.4"/>
        </symbol>
        <symbol id="i-arrow" viewBox="0 0 16 16">
          <path d="M3 8h9.5M9 4.5 12.5 8 9 11.5"/>
        </symbol>
        <symbol id="i-pause" viewBox="0 0 16 16">
          <path d="M5.5 3.5v9M10.5 3.5v9"/>
        </symbol>
        <symbol id="i-skip" viewBox="0 0 16 16">
          <path d="m4 3.5 6 4.5-6 4.5zM12.5 3.5v9"/>
        </symbol>
        <symbol id="i-play" viewBox="0 0 16 16">
          <path d="m5 3.2 7 4.8-7 4.8z"/>
        </symbol>
        <symbol id="i-x" viewBox="0 0 16 16">
          <path d="m4.5 4.5 7 7m0-7-7 7"/>
        </symbol>
        <symbol id="i-check" viewBox="0 0 16 16">
          <path d="m3.5 8.5 3 3 6-7"/>
        </symbol>
        <symbol id="i-right" viewBox="0 0 16 16">
          <path d="m6.5 4.5 3.5 3.5-3.5 3.5"/>
        </symbol>
        <symbol id="i-left" viewBox="0 0 16 16">
          <path d="M9.5 4.5 6 8l3.5 3.5"/>
        </symbol>
        <symbol id="i-plus" viewBox="0 0 16 16">
          <path d="M8 3.2v9.6M3.2 8h9.6"/>
        </symbol>
        <symbol id="i-retry" viewBox="0 0 16 16">
          <path d="M13 8a5 5 0 1 1-1.6-3.7M13 2.2v2.8h-2.8"/>
        </symbol>
        <symbol id="i-calendar" viewBox="0 0 16 16">
          <rect x="2.5" y="3.5" width="11" height="10" rx="1.2"/>
          <path d="M2.5 6.7h11M5.5 2v2.6M10.5 2v2.6"/>
        </symbol>
        <symbol id="i-backfill" viewBox="0 0 16 16">
          <path d="M13.5 3.5v9M10.5 8H2.8M6 4.7 2.7 8 6 11.3"/>
        </symbol>
        <symbol id="i-hook" viewBox="0 0 16 16">
          <path d="M6.2 5.5 4 9.4M8 3a2 2 0 0 1 1.8 3l2.3 4M9 11.8h3.6M5.6 11.3h3.2"/>
          <circle cx="4" cy="11.3" r="1.8"/>
          <circle cx="12.3" cy="11.8" r="1.7"/>
          <circle cx="8" cy="4.3" r="1.7"/>
        </symbol>
        <symbol id="i-key" viewBox="0 0 16 16">
          <circle cx="5" cy="11" r="2.7"/>
          <path d="m7 9 6-6M11 5l1.8 1.8M9.3 6.7l1.4 1.4"/>
        </symbol>
        <symbol id="i-menu" viewBox="0 0 16 16">
          <path d="M2.5 4h11M2.5 8h11M2.5 12h11"/>
        </symbol>
        <symbol id="i-globe" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="5.7"/>
          <path d="M2.3 8h11.4M8 2.3c3.6 3.6 3.6 7.8 0 11.4-3.6-3.6-3.6-7.8 0-11.4"/>
        </symbol>
        <symbol id="i-keyboard" viewBox="0 0 16 16">
          <rect x="1.5" y="4" width="13" height="8" rx="1.3"/>
          <path d="M4 6.6h.1M6.7 6.6h.1M9.4 6.6h.1M12 6.6h.1M5 9.5h6"/>
        </symbol>
        <symbol id="i-out" viewBox="0 0 16 16">
          <path d="M6.5 2.5h-3v11h3M7 8h6.5M10.7 5.2 13.5 8l-2.8 2.8"/>
        </symbol>
        <symbol id="i-command" viewBox="0 0 16 16">
          <path d="m3 4.5 3.5 3.5L3 11.5M8 12h5"/>
        </symbol>
        <symbol id="i-edit" viewBox="0 0 16 16">
          <path d="m3 13 .6-3 6.7-6.7 2.4 2.4L6 12.4zM9 4.6 11.4 7"/>
        </symbol>
        <symbol id="i-trash" viewBox="0 0 16 16">
          <path d="M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M7 7v3.5M9 7v3.5"/>
        </symbol>
        <symbol id="i-undo" viewBox="0 0 16 16">
          <path d="M3 6.5h6.5a3.3 3.3 0 0 1 0 6.6H6M3 6.5l3-3M3 6.5l3 3"/>
        </symbol>
        <symbol id="i-link" viewBox="0 0 16 16">
          <path d="M6.7 9.3 9.3 6.7M7.3 4.7l1.5-1.5a2.8 2.8 0 0 1 4 4l-1.5 1.5M8.7 11.3l-1.5 1.5a2.8 2.8 0 0 1-4-4l1.5-1.5"/>
        </symbol>
        <symbol id="i-broken" viewBox="0 0 16 16">
          <path d="m4.7 8.7-1.5 1.5a2.5 2.5 0 0 0 3.6 3.6l1.5-1.5M11.3 7.3l1.5-1.5a2.5 2.5 0 0 0-3.6-3.6L7.7 3.7M3 3l2 2M13 13l-2-2M6.5 2v2M2 6.5h2M9.5 14v-2M14 9.5h-2"/>
        </symbol>
        <symbol id="i-clock" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="5.8"/>
          <path d="M8 4.8V8l2.2 1.5"/>
        </symbol>
        <symbol id="i-eye" viewBox="0 0 16 16">
          <path d="M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8z"/>
          <circle cx="8" cy="8" r="1.9"/>
        </symbol>
        <symbol id="i-shield" viewBox="0 0 16 16">
          <path d="M8 1.8 13 3.7v4c0 3-2 5.3-5 6.5-3-1.2-5-3.5-5-6.5v-4z"/>
        </symbol>
        <symbol id="i-info" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="5.8"/>
          <path d="M8 7.4v3.4M8 5.1v.1"/>
        </symbol>
        <symbol id="i-drain" viewBox="0 0 16 16">
          <path d="M8 2.3v7M5 6.5l3 3 3-3M3 12.8h10"/>
        </symbol>
        <symbol id="i-columns" viewBox="0 0 16 16">
          <rect x="2.3" y="3" width="11.4" height="10" rx="1.2"/>
          <path d="M6.2 3v10M9.9 3v10"/>
        </symbol>
      </defs>
    </svg>
  );
}

export type IconName =
  | "overview"
  | "runs"
  | "jobs"
  | "triggers"
  | "workflows"
  | "failures"
  | "queues"
  | "executors"
  | "breakers"
  | "alerts"
  | "cluster"
  | "audit"
  | "admin"
  | "star"
  | "find"
  | "down"
  | "theme"
  | "copy"
  | "more"
  | "flag"
  | "warn"
  | "moon"
  | "stop"
  | "save"
  | "arrow"
  | "pause"
  | "skip"
  | "play"
  | "x"
  | "check"
  | "right"
  | "left"
  | "plus"
  | "retry"
  | "calendar"
  | "backfill"
  | "hook"
  | "key"
  | "menu"
  | "globe"
  | "keyboard"
  | "out"
  | "command"
  | "edit"
  | "trash"
  | "undo"
  | "link"
  | "broken"
  | "clock"
  | "eye"
  | "shield"
  | "info"
  | "drain"
  | "columns";

export function Icon({ name, class: extra = "" }: { name: IconName; class?: string }): JSX.Element {
  return (
    <svg class={`icon ${extra}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}
