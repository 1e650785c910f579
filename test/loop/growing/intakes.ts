/**
 * All intakes, each up to what it stores; imported with `?counted`. JSON is longer than a piece (`PIECE_LENGTH`), since it
 * is read in another way then.
 */
import { ANSWERED_TEXTS, ANSWERED_XML, MESSAGES, ONE_RECORD } from "./air.ts";
import type { Intake } from "./grown.ts";
import { CALLBACKS, CARRIERS, EDIFACT, IMPORTS, IMPORTS_IN_JSON, POSITIONS } from "./ocean.ts";
import { ROUTES, SCHEDULES } from "./schedules.ts";
import { CURRENCIES, EVENTS, INDEX, PLANS, RATES, RATES_IN_JSON } from "./tables.ts";

export const INTAKES: Readonly<Record<string, Intake>> = {
  events: EVENTS,
  "rates as CSV": RATES,
  "rates as JSON": RATES_IN_JSON,
  "exchange rates": CURRENCIES,
  "an index": INDEX,
  schedules: SCHEDULES,
  routes: ROUTES,
  "messages of airlines": MESSAGES,
  EDIFACT,
  "milestones as CSV": IMPORTS,
  "milestones as JSON": IMPORTS_IN_JSON,
  positions: POSITIONS,
  callbacks: CALLBACKS,
  "answers of carriers": CARRIERS,
  "answers of ONE Record": ONE_RECORD,
  "answers to status requests": ANSWERED_TEXTS,
  "answers in XML": ANSWERED_XML,
  "requests of plans": PLANS,
};
