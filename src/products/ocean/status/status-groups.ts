import type { ContainerStatus } from "../event-data.ts";

/** At the terminal where the journey ends. */
export const AT_TERMINAL: readonly ContainerStatus[] = ["discharged", "customs_hold", "available"];

/** The end values (spec 2.4: end_values). */
export const END_VALUES: readonly ContainerStatus[] = ["delivered", "returned_empty"];

/** The sea voyage is over. */
export const ASHORE: readonly ContainerStatus[] = [...AT_TERMINAL, ...END_VALUES];
