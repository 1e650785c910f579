/** The carriers of the simulated trade: what services each has, and what makes each one's feeds its own, as data. */
import type { Access } from "../world/access.ts";
import type { LinerServiceCode } from "./services.ts";

export type LinerCarrier = {
  readonly scac: string;
  readonly name: string;
  readonly services: readonly LinerServiceCode[];
  readonly access: Access;
  /** Times with the port's offset, in UTC, or by the port's clock without saying so. */
  readonly clock: "local" | "utc" | "wall";
  /** Estimates waver by hours from day to day. */
  readonly jittersEstimates: boolean;
  /** What it does not sail it takes from its answers without a word, and names no status. */
  readonly omitsCancelled: boolean;
  /** Cut-offs follow the departure that is expected. */
  readonly movesCutOffs: boolean;
  /** Vessels that have left are in answers for so many days. */
  readonly departedDays: number;
  readonly feeds: readonly LinerFeed[];
};

export type LinerFeed = {
  readonly name: string;
  readonly kind: "ovs-service-schedules" | "cs-vessel-schedules" | "cs-port-schedules";
  /** What it is asked for, one question each; `all`: without any. */
  readonly queriedBy: "services" | "vessels" | "ports" | "all";
  /** Vessels on one page of an answer. */
  readonly pageVessels: number;
  /** From an event to its report, in hours at most. */
  readonly lagHoursMax: number;
  readonly daysAhead: number;
  readonly daysBehind: number;
  /** Names the proforma times as well. */
  readonly reportsPlanned: boolean;
  /** Calls that are not made are left out of its answers, though another feed of the carrier has them with a status. */
  readonly dropsCancelled: boolean;
  /** How often it is down, does not answer whole, or asks for patience: spells a month. */
  readonly outagesAMonth: number;
  readonly throttlesAMonth: number;
};

const FEED: LinerFeed = {
  name: "",
  kind: "ovs-service-schedules",
  queriedBy: "all",
  pageVessels: 100,
  lagHoursMax: 1,
  daysAhead: 42,
  daysBehind: 7,
  reportsPlanned: true,
  dropsCancelled: false,
  outagesAMonth: 0,
  throttlesAMonth: 0,
};

const PLAIN = {
  access: { kind: "open" },
  clock: "local",
  jittersEstimates: false,
  omitsCancelled: false,
  movesCutOffs: true,
  departedDays: 30,
} as const;

export const LINER_CARRIERS: readonly LinerCarrier[] = [
  {
    ...PLAIN,
    scac: "KITE",
    name: "Kite Line",
    services: ["K1"],
    feeds: [
      { ...FEED, name: "kite-ovs" },
      { ...FEED, name: "kite-cs", kind: "cs-vessel-schedules", queriedBy: "services", lagHoursMax: 6 },
    ],
  },
  {
    ...PLAIN,
    scac: "LOON",
    name: "Loon Liner",
    services: ["L1", "L2"],
    access: { kind: "oauth", clientId: "loon-client", clientSecret: "loon-secret" },
    jittersEstimates: true,
    departedDays: 2,
    feeds: [
      {
        ...FEED,
        name: "loon-ovs",
        queriedBy: "services",
        pageVessels: 3,
        outagesAMonth: 4,
        throttlesAMonth: 4,
      },
      {
        ...FEED,
        name: "loon-cs",
        kind: "cs-vessel-schedules",
        queriedBy: "services",
        pageVessels: 4,
        lagHoursMax: 10,
        reportsPlanned: false,
        dropsCancelled: true,
        outagesAMonth: 2,
      },
    ],
  },
  {
    ...PLAIN,
    scac: "MYNA",
    name: "Myna Marine",
    services: ["M1", "M2"],
    access: { kind: "key", header: "x-api-key", value: "myna-key" },
    clock: "wall",
    omitsCancelled: true,
    movesCutOffs: false,
    feeds: [
      {
        ...FEED,
        name: "myna-ports",
        kind: "cs-port-schedules",
        queriedBy: "ports",
        pageVessels: 6,
        lagHoursMax: 3,
        outagesAMonth: 3,
      },
    ],
  },
  {
    ...PLAIN,
    scac: "NODY",
    name: "Noddy Shipping",
    services: ["N1"],
    clock: "utc",
    jittersEstimates: true,
    feeds: [
      { ...FEED, name: "nody-ports", queriedBy: "ports", lagHoursMax: 12, throttlesAMonth: 8 },
      {
        ...FEED,
        name: "nody-cs",
        kind: "cs-vessel-schedules",
        queriedBy: "services",
        pageVessels: 2,
        lagHoursMax: 24,
        outagesAMonth: 4,
      },
    ],
  },
  {
    ...PLAIN,
    scac: "ORIL",
    name: "Oriole Ferry",
    services: ["O1"],
    omitsCancelled: true,
    feeds: [
      {
        ...FEED,
        name: "oril-cs",
        kind: "cs-vessel-schedules",
        queriedBy: "vessels",
        lagHoursMax: 5,
        daysAhead: 30,
        reportsPlanned: false,
      },
    ],
  },
  {
    ...PLAIN,
    scac: "PLVR",
    name: "Plover Ocean",
    services: ["P1", "P2"],
    omitsCancelled: true,
    feeds: [
      { ...FEED, name: "plvr-ovs", queriedBy: "services", pageVessels: 5, daysAhead: 60, outagesAMonth: 3 },
    ],
  },
  {
    ...PLAIN,
    scac: "QUAI",
    name: "Quail Container",
    services: ["Q1"],
    omitsCancelled: true,
    feeds: [
      { ...FEED, name: "quai-ports", kind: "cs-port-schedules", queriedBy: "ports", daysAhead: 28 },
      { ...FEED, name: "quai-ovs", queriedBy: "vessels", lagHoursMax: 8, daysAhead: 90 },
    ],
  },
];
