import type { Refusal } from "../refusal.ts";

/** One answer for ids that are unknown, of another account, of another product, or no ids at all. */
export const NO_ENDPOINT: Refusal = { code: "NOT_FOUND", message: "you have no endpoint of that id" };
