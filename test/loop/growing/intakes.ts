/**
 * All intakes, each up to what it stores; imported with `?counted`. JSON is longer than a piece (`PIECE_LENGTH`), since it
 * is read in another way then.
 */
import { ANSWERED_TEXTS, ANSWERED_XML, MESSAGES, ONE_RECORD } from "./air.ts";
import { type Intake, NOW_MS, sliced, listed } from "./grown.ts";
import { CALLBACKS, CARRIERS, EDIFACT, IMPORTS, IMPORTS_IN_JSON, POSITIONS } from "./ocean.ts";
import { CURRENCIES, EVENTS, INDEX, PLANS, RATES, RATES_IN_JSON } from "./tables.ts";
import { parseJsonSteps } from "../../../src/model/json.ts";
import type { FeedKind } from "../../../src/products/schedules/sources/feed-schema.ts";
import { readPushed } from "../../../src/products/schedules/sources/read-answer.ts";
import { stamp, transportCall } from "../../schedules/sources/answers.ts";
import type { SlicedWork } from "../../../src/runtime/time-slices.ts";

const feed = (kind: FeedKind) => ({ name: "heron", kind, carrier: "HRNL", smdg: "HRN" });

function* pushedTo(kind: FeedKind, text: string): SlicedWork<unknown> {
  const pushed = yield* readPushed(feed(kind), yield* parseJsonSteps(text), NOW_MS);
  if (typeof pushed === "string") return pushed;
  return pushed;
}

const vessel = (calls: readonly object[]) => ({
  vesselIMONumber: "9321483",
  vesselName: "A",
  transportCalls: calls,
});
const schedule = (n: number, one: (at: number) => object): string =>
  `[{"carrierServiceCode":"HE1","vesselSchedules":[${JSON.stringify(vessel(Array.from({ length: n }, (_, at) => one(at))))}]}]`;
const voyage = (at: number) => ({ carrierImportVoyageNumber: `${at}E`, carrierExportVoyageNumber: `${at}E` });

const SCHEDULES: Intake = {
  read: sliced((text) => pushedTo("cs-vessel-schedules", text)),
  texts: {
    voyages: [400, (n) => schedule(n, (at) => transportCall("CNSHA", voyage(at)))],
    "calls of one voyage": [300, (n) => schedule(n, (at) => transportCall(["CNSHA", "NLRTM"][at % 2]!))],
    "one call": [300, (n) => schedule(n, () => transportCall("CNSHA"))],
    "wrong calls": [400, (n) => schedule(n, (at) => transportCall("?", voyage(at)))],
    "empty calls": [5_000, (n) => schedule(n, () => ({}))],
    timestamps: [
      2_000,
      (n) =>
        schedule(1, () =>
          transportCall("CNSHA", {
            timestamps: Array.from({ length: n }, () => stamp("ARRI", "PLN", "2026-12-01T06:00:00Z")),
          }),
        ),
    ],
  },
};

const ROUTES: Intake = {
  read: sliced((text) => pushedTo("cs-point-to-point", text)),
  texts: {
    partners: [
      30_000,
      (n) =>
        `[{"legs":[{"transport":{"modeOfTransport":"VESSEL","servicePartners":${listed(n, () => ({}))}}}]}]`,
    ],
  },
};

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
