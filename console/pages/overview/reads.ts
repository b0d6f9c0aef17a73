// How often the overview is read: each read of a second is the same answer, and viewers are many.
export const OVERVIEW_EVERY = 3000;
