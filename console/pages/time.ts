// The pages of triggers, backfills and calendars, as one part.
export { Backfill, Backfills } from "./triggers/backfill.tsx";
export { Calendar, Calendars } from "./calendars/calendars.tsx";
export { Trigger } from "./triggers/trigger.tsx";
export { Triggers } from "./triggers/list.tsx";
