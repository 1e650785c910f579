/** The time at which every world begins: a minute before the day of an entry of the API's changelog. */
export const START_MS = Date.UTC(2026, 10, 27, 23, 59);
