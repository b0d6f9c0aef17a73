// The pages of the console, in the order of the rail.
import type { IconName } from "../parts/icons.tsx";

export type PageId =
  | "overview" | "runs" | "jobs" | "triggers" | "workflows" | "batches" | "failures"
  | "queues" | "executors" | "limits" | "breakers" | "alerts" | "cluster"
  | "calendars" | "backfills" | "audit" | "admin";

export interface PageEntry {
  id: PageId;
  icon: IconName;
  group: "work" | "fleet" | "rules";
  /** After `g`. */
  key?: string;
}

export const PAGES: PageEntry[] = [
  { id: "overview", icon: "overview", group: "work", key: "o" },
  { id: "runs", icon: "runs", group: "work", key: "r" },
  { id: "jobs", icon: "jobs", group: "work", key: "j" },
  { id: "triggers", icon: "triggers", group: "work", key: "t" },
  { id: "workflows", icon: "workflows", group: "work", key: "w" },
  { id: "batches", icon: "runs", group: "work", key: "h" },
  { id: "failures", icon: "failures", group: "work", key: "f" },
  { id: "queues", icon: "queues", group: "fleet", key: "q" },
  { id: "executors", icon: "executors", group: "fleet", key: "x" },
  { id: "limits", icon: "shield", group: "fleet", key: "l" },
  { id: "breakers", icon: "breakers", group: "fleet", key: "k" },
  { id: "alerts", icon: "alerts", group: "fleet", key: "e" },
  { id: "cluster", icon: "cluster", group: "fleet", key: "c" },
  { id: "calendars", icon: "calendar", group: "rules", key: "d" },
  { id: "backfills", icon: "backfill", group: "rules", key: "b" },
  { id: "audit", icon: "audit", group: "rules", key: "u" },
  { id: "admin", icon: "admin", group: "rules", key: "a" },
];
