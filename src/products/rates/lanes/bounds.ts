/** How much is loaded at once. */
import type { RatesBounds } from "./read-rates.ts";

/** By a command, which has a process of its own to read in. */
export const FILE_BOUNDS: RatesBounds = { bytesMax: 128 * 1024 * 1024, linesMax: 500_000 };

/** By a request, which shares its process with deliveries: JSON is parsed in one go. */
export const REQUEST_BOUNDS: RatesBounds = { bytesMax: 8 * 1024 * 1024, linesMax: 20_000 };

/** Problems that an answer over HTTP repeats; all are counted. */
export const PROBLEMS_IN_RESPONSE_MAX = 1_000;
