/** The airlines of the simulated world: what is their own in how they tell of a waybill, as data. */
import type { Access } from "../world/access.ts";
import type { Station } from "./stations.ts";

export type Code =
  | "BKD"
  | "FOH"
  | "RCS"
  | "RCT"
  | "PRE"
  | "MAN"
  | "DEP"
  | "ARR"
  | "RCF"
  | "TRM"
  | "TFD"
  | "NFD"
  | "AWR"
  | "AWD"
  | "CRC"
  | "CCD"
  | "DLV"
  | "DDL"
  | "DIS";

export type Airline = {
  /** Two characters. */
  readonly iata: string;
  readonly name: string;
  /** Three digits, of no airline that there is. */
  readonly prefix: string;
  readonly hub: Station;
  /** Asked by FSR and answering FSA, asked for ONE Record's events, or pushing FSU. */
  readonly speaks: "fsa" | "one-record" | "fsu";
  /** One that can be asked may push FSU as well. */
  readonly alsoPushes: boolean;
  /** Of Cargo-IMP. */
  readonly version: 12 | 13 | 14 | 15;
  readonly envelope: "none" | "type-b" | "edifact";
  readonly access: Access;
  /** What it never tells of. */
  readonly silentOn: readonly Code[];
  /** Its answers hold what happened so far, or only what it said last. */
  readonly answers: "history" | "latest";
  /** How it says that it does not know a waybill: a remark, an error message (FNA) or a status of HTTP. */
  readonly unknown: "remark" | "error-message" | "not-found";
  /** Most of what it says comes within so many hours, and some of it within so many days. */
  readonly lateHours: number;
  readonly lateDays: number;
  /** Of what it says, 0 to 1. */
  readonly lateShare: number;
  readonly repeatShare: number;
  readonly correctedShare: number;
  readonly lostShare: number;
  readonly outagesAMonth: number;
  readonly quotasAMonth: number;
};

const PROMPT: Omit<Airline, "iata" | "name" | "prefix" | "hub" | "speaks"> = {
  version: 15,
  alsoPushes: false,
  envelope: "none",
  access: { kind: "open" },
  silentOn: [],
  answers: "history",
  unknown: "not-found",
  lateHours: 0.3,
  lateDays: 0,
  lateShare: 0,
  repeatShare: 0,
  correctedShare: 0,
  lostShare: 0,
  outagesAMonth: 0,
  quotasAMonth: 0,
};

export const AIRLINES: readonly Airline[] = [
  // Prompt, complete and right.
  {
    ...PROMPT,
    iata: "1Q",
    name: "Albatross Cargo",
    prefix: "941",
    hub: "FRA",
    speaks: "fsa",
    unknown: "remark",
  },
  // Tells of arrivals by ARR alone and of what can be fetched by its clearance; down at times.
  {
    ...PROMPT,
    iata: "2Q",
    name: "Bustard Air",
    prefix: "942",
    hub: "DXB",
    speaks: "fsa",
    version: 14,
    access: { kind: "key", header: "X-Api-Key", value: "simulated-bustard" },
    silentOn: ["FOH", "PRE", "AWR", "AWD", "NFD"],
    lateHours: 3,
    lateDays: 1,
    lateShare: 0.05,
    correctedShare: 0.08,
    outagesAMonth: 6,
  },
  // Answers with what it said last only, so that what it says while it is down is not heard.
  {
    ...PROMPT,
    iata: "3Q",
    name: "Curlew Airlines",
    prefix: "943",
    hub: "HKG",
    speaks: "fsa",
    version: 12,
    envelope: "type-b",
    answers: "latest",
    unknown: "error-message",
    silentOn: ["CRC", "CCD", "TRM"],
    lateHours: 6,
    repeatShare: 0.1,
    outagesAMonth: 3,
    quotasAMonth: 4,
  },
  {
    ...PROMPT,
    iata: "4Q",
    name: "Dunlin Air Freight",
    prefix: "944",
    hub: "ORD",
    speaks: "one-record",
    access: { kind: "oauth", clientId: "boathook", clientSecret: "simulated-dunlin" },
    silentOn: ["AWD", "CRC"],
    correctedShare: 0.05,
    outagesAMonth: 4,
    quotasAMonth: 4,
  },
  {
    ...PROMPT,
    iata: "5Q",
    name: "Egret Cargo",
    prefix: "945",
    hub: "SIN",
    speaks: "one-record",
    silentOn: ["PRE", "MAN", "ARR"],
    lateHours: 5,
    lateDays: 2,
    lateShare: 0.08,
  },
  // Pushes each message once, in order.
  { ...PROMPT, iata: "6Q", name: "Fulmar Air", prefix: "940", hub: "AMS", speaks: "fsu", envelope: "type-b" },
  // Pushes things twice, days late, in any order, and puts times right.
  {
    ...PROMPT,
    iata: "7Q",
    name: "Gannet Airways",
    prefix: "947",
    hub: "DOH",
    speaks: "fsu",
    version: 13,
    envelope: "edifact",
    silentOn: ["ARR"],
    lateHours: 8,
    lateDays: 3,
    lateShare: 0.15,
    repeatShare: 0.2,
    correctedShare: 0.15,
    lostShare: 0.03,
  },
  // Says everything twice: it can be asked, and pushes.
  {
    ...PROMPT,
    iata: "8Q",
    name: "Heron Air Cargo",
    prefix: "948",
    hub: "LHR",
    speaks: "one-record",
    alsoPushes: true,
    version: 14,
    silentOn: ["AWR", "CRC"],
    lateHours: 2,
    outagesAMonth: 8,
  },
];
