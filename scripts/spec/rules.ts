/** Every section of the specification and every rule in it. Comments and test titles refer to them by id. */
import { EVENTS } from "./events.ts";
import { INTERFACE } from "./interface.ts";
import { LIMITS } from "./limits.ts";
import { RESOURCES } from "./resources.ts";
import type { Section } from "./section.ts";

export const SECTIONS: readonly Section[] = [...RESOURCES, ...INTERFACE, ...EVENTS, ...LIMITS];

/** Headings over sections; a reference to one counts for no rule. */
export const CHAPTERS: readonly string[] = ["2", "3", "4", "6"];
