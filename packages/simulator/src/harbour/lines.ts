/** The fourteen shipping lines of the simulated world: what makes each one's answers its own, as data. */
import type { Access } from "../world/access.ts";
import { RELIABLE, type ReportingQuality } from "./reporting-quality.ts";

export type Line = {
  readonly scac: string;
  readonly name: string;
  /** How the numbers of its own containers begin. */
  readonly ownerCode: string;
  /** The version of DCSA's Track & Trace that it speaks. */
  readonly version: "2.2" | "3.0";
  readonly access: Access;
  /** Where the list of events is; null: the answer is the list. */
  readonly envelope: "events" | "data" | "items" | null;
  readonly eventId: "eventID" | "eventId" | null;
  /** Ids that change whenever anything does. */
  readonly renewsIds: boolean;
  readonly unlocode: "UNLocationCode" | "unLocationCode";
  /** Where the place is written, of the three places that 2.2 has for it. */
  readonly placeOn: "call" | "location" | "event";
  readonly planned: "PLN" | "PLAN";
  /** Times with the place's offset, or all in UTC. */
  readonly clock: "local" | "utc";
  /** Names no vessel before it has sailed. */
  readonly namesVesselLate: boolean;
  readonly paging: { readonly by: "cursor" | "link"; readonly events: number } | null;
  readonly reporting: ReportingQuality;
  /** How often it is down or asks for patience, spells a month. */
  readonly outagesAMonth: number;
  readonly throttlesAMonth: number;
};

const PLAIN: Line = {
  scac: "AVCT",
  name: "Avocet Lines",
  ownerCode: "AVCU",
  version: "2.2",
  access: { kind: "open" },
  envelope: null,
  eventId: "eventID",
  renewsIds: false,
  unlocode: "UNLocationCode",
  placeOn: "call",
  planned: "PLN",
  clock: "local",
  namesVesselLate: false,
  paging: null,
  reporting: RELIABLE,
  outagesAMonth: 0,
  throttlesAMonth: 0,
};

export const LINES: readonly Line[] = [
  PLAIN,
  {
    ...PLAIN,
    scac: "BRNT",
    name: "Brent Container Line",
    ownerCode: "BRNU",
    access: { kind: "key", header: "x-api-key", value: "brent-key" },
    eventId: "eventId",
    unlocode: "unLocationCode",
    placeOn: "event",
    reporting: {
      ...RELIABLE,
      prunesShare: 0.3,
      lagHoursMax: 6,
      keepsEstimates: true,
      duplicateShare: 0.1,
      shuffles: true,
    },
    outagesAMonth: 2,
  },
  {
    ...PLAIN,
    scac: "CRNE",
    name: "Crane Ocean",
    ownerCode: "CRNU",
    envelope: "events",
    renewsIds: true,
    planned: "PLAN",
    clock: "utc",
    paging: { by: "cursor", events: 10 },
    reporting: {
      ...RELIABLE,
      lagHoursMax: 4,
      otherFormShare: 0.4,
      wrongTimeShare: 0.1,
      reportsIntermediateCalls: true,
    },
    throttlesAMonth: 6,
  },
  {
    ...PLAIN,
    scac: "DOVE",
    name: "Dove Shipping",
    ownerCode: "DOVU",
    access: { kind: "oauth", clientId: "dove-client", clientSecret: "dove-secret" },
    eventId: null,
    placeOn: "location",
    reporting: {
      ...RELIABLE,
      prunesShare: 0.2,
      lagHoursMax: 8,
      inspectedShare: 0.5,
      lateShare: 0.08,
      keepsOldPlans: true,
      estimatesMoves: false,
    },
  },
  {
    ...PLAIN,
    scac: "EIDR",
    name: "Eider Marine",
    ownerCode: "EIDU",
    envelope: "data",
    namesVesselLate: true,
    paging: { by: "link", events: 8 },
    reporting: {
      ...RELIABLE,
      falseDepartureShare: 0.1,
      inspectedShare: 0.5,
      shuffles: true,
      duplicateShare: 0.05,
    },
    outagesAMonth: 4,
    throttlesAMonth: 2,
  },
  {
    ...PLAIN,
    scac: "FNCH",
    name: "Finch Feeder",
    ownerCode: "FNCU",
    access: { kind: "key", header: "Consumer-Key", value: "finch-key" },
    eventId: null,
    renewsIds: true,
    placeOn: "event",
    reporting: { ...RELIABLE, lagHoursMax: 12, lateShare: 0.1, reportsAnchorage: true, twoCachesShare: 0.3 },
  },
  {
    ...PLAIN,
    scac: "GULL",
    name: "Gull Atlantic",
    ownerCode: "GULU",
    version: "3.0",
    envelope: "events",
    paging: { by: "cursor", events: 10 },
    reporting: {
      ...RELIABLE,
      prunesShare: 0.3,
      lagHoursMax: 3,
      otherFormShare: 0.4,
      falseDepartureShare: 0.06,
      wrongTimeShare: 0.06,
    },
  },
  {
    ...PLAIN,
    scac: "HOOP",
    name: "Hoopoe Global",
    ownerCode: "HOOU",
    version: "3.0",
    access: { kind: "oauth", clientId: "hoopoe-client", clientSecret: "hoopoe-secret" },
    envelope: "events",
    clock: "utc",
    reporting: {
      ...RELIABLE,
      prunesShare: 0.3,
      lagHoursMax: 5,
      keepsEstimates: true,
      reportsIntermediateCalls: true,
      shuffles: true,
      twoCachesShare: 0.3,
    },
    outagesAMonth: 3,
  },
  {
    ...PLAIN,
    scac: "IBIS",
    name: "Ibis Pacific",
    ownerCode: "IBSU",
    envelope: "items",
    unlocode: "unLocationCode",
    reporting: {
      ...RELIABLE,
      prunesShare: 0.3,
      lagHoursMax: 24,
      lateShare: 0.15,
      keepsOldPlans: true,
      keepsEstimates: true,
      rebooksLate: true,
    },
    throttlesAMonth: 4,
  },
  {
    ...PLAIN,
    scac: "JAYL",
    name: "Jay Line",
    ownerCode: "JAYU",
    version: "3.0",
    access: { kind: "key", header: "x-api-key", value: "jay-key" },
    envelope: "events",
    reporting: {
      ...RELIABLE,
      lagHoursMax: 10,
      otherFormShare: 0.4,
      lateShare: 0.05,
      duplicateShare: 0.1,
      reportsAnchorage: true,
    },
  },
  {
    ...PLAIN,
    scac: "KNOT",
    name: "Knot Container",
    ownerCode: "KNOU",
    eventId: null,
    placeOn: "location",
    reporting: { ...RELIABLE, lagHoursMax: 6, datesOnly: true, estimatesMoves: false, omitsShare: 0.2 },
  },
  {
    ...PLAIN,
    scac: "LARK",
    name: "Lark Lines",
    ownerCode: "LARU",
    envelope: "events",
    namesVesselLate: true,
    reporting: {
      ...RELIABLE,
      prunesShare: 0.3,
      lagHoursMax: 5,
      reportsDepartures: false,
      callsTransshipments: true,
      statesFreeDays: true,
      dropsEndShare: 0.25,
    },
  },
  {
    ...PLAIN,
    scac: "MERL",
    name: "Merlin Ocean",
    ownerCode: "MERU",
    version: "3.0",
    envelope: "events",
    reporting: {
      ...RELIABLE,
      prunesShare: 0.3,
      lagHoursMax: 2,
      showsTrips: true,
      callsTransshipments: true,
      plansEndAtDischarge: true,
      aheadShare: 0.2,
    },
  },
  {
    ...PLAIN,
    scac: "NUTH",
    name: "Nuthatch Shipping",
    ownerCode: "NUTU",
    envelope: "data",
    clock: "utc",
    placeOn: "event",
    reporting: {
      ...RELIABLE,
      prunesShare: 0.3,
      lagHoursMax: 4,
      showsTrips: true,
      statesFreeDays: true,
      oneVoyageNumber: true,
      dropsEndShare: 0.2,
      aheadShare: 0.15,
    },
  },
];

/** Boxes that belong to a lessor travel with any of the lines. */
export const LESSOR_CODE = "LESU";
