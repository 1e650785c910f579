/** Bounds of one load. */
import type { RatesBounds } from "./read-rates.ts";

/** A command has a process of its own. */
export const FILE_BOUNDS: RatesBounds = { bytesMax: 128 * 1024 * 1024, linesMax: 500_000 };

/** A request shares its process with deliveries, and parsing JSON yields no time. */
export const REQUEST_BOUNDS: RatesBounds = { bytesMax: 8 * 1024 * 1024, linesMax: 20_000 };

/** Problems that an HTTP response lists; it counts all. */
export const PROBLEMS_IN_RESPONSE_MAX = 1_000;
