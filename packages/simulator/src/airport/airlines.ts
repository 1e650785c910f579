/** The airlines of the simulated world: how each reports a waybill, as data. */
import type { Access } from "../world/access.ts";
import type { Station } from "./stations.ts";

export type MilestoneCode =
  | "BKD"
  | "DPU"
  | "DOC"
  | "FOH"
  | "RCS"
  | "RCT"
  | "PRE"
  | "MAN"
  | "FOW"
  | "DEP"
  | "ARR"
  | "FIW"
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

/** Of the present list of status codes. */
const PRESENT_CODES: readonly MilestoneCode[] = ["DPU", "DOC", "FIW", "FOW"];

export type Airline = {
  /** Two characters. */
  readonly iata: string;
  readonly name: string;
  /** Three digits, of no airline that there is. */
  readonly prefix: string;
  readonly hub: Station;
  /** Asked by FSR and answering FSA, asked for ONE Record's events, or pushing FSU. */
  readonly protocol: "fsa" | "one-record" | "fsu";
  /** One that can be asked may push FSU as well. */
  readonly alsoPushes: boolean;
  /** Of Cargo-IMP. */
  readonly version: 12 | 13 | 14 | 15;
  readonly envelope: "none" | "type-b" | "edifact";
  readonly access: Access;
  /** What it never reports. */
  readonly unreportedCodes: readonly MilestoneCode[];
  /** Its answers hold what happened so far, or only what it said last. */
  readonly answers: "history" | "latest";
  /** How it says that it does not know a waybill: a remark, an error message (FNA) or a status of HTTP. */
  readonly unknownAnswer: "remark" | "error-message" | "not-found";
  /** Most of what it says comes within so many hours, and some of it within so many days. */
  readonly lateHours: number;
  readonly lateDays: number;
  /** Of what it says, 0 to 1. */
  readonly lateShare: number;
  readonly repeatShare: number;
  readonly correctedShare: number;
  readonly lostShare: number;
  /** Of its waybills, 0 to 1, those of which it says what happened on which day, without times. */
  readonly daysOnlyShare: number;
  /** … those of which it says nothing before the cargo is manifested or flown. */
  readonly silentShare: number;
  /** … those of which it says nothing after the first departure but what it hands out. */
  readonly terseShare: number;
  /** … those of which it says something wrong, and takes it back. */
  readonly falseShare: number;
  /** Share of the deliveries of all pieces that it dates days ahead at first, or for ever. */
  readonly aheadShare: number;
  /** Where its messages say what the whole waybill weighs. */
  readonly weightIn: "waybill" | "statuses";
  /** Writes weights as `K1,250.5`. */
  readonly groupsThousands: boolean;
  /** Writes the arrival alone where the flight's departure has its place before it. */
  readonly writesLoneArrivals: boolean;
  /** Writes lines with blanks at their ends, after a mark of the byte order. */
  readonly padsLines: boolean;
  /** Share of its part deliveries, 0 to 1, said to be of as many pieces in all. */
  readonly selfTotalShare: number;
  /** … whose quantity stands where that of the whole does, in messages of their own. */
  readonly partInHeadShare: number;
  /** … reported piece by piece. */
  readonly byPieceShare: number;
  /** Share of its deliveries, 0 to 1, whose quantity cannot be read at first. */
  readonly garbledShare: number;
  /** Share of its times put right that are in one text with the wrong one, and of its deliveries' that are in pounds. */
  readonly atOnceShare: number;
  readonly poundsShare: number;
  /** Share of its waybills of which it says nothing but what it hands out, and not of how many pieces. */
  readonly bareShare: number;
  /** Its answers say so late what its messages say at once. */
  readonly answersLagMinutes: number;
  readonly outagesAMonth: number;
  readonly throttlesAMonth: number;
};

const PROMPT: Omit<Airline, "iata" | "name" | "prefix" | "hub" | "protocol"> = {
  version: 15,
  alsoPushes: false,
  envelope: "none",
  access: { kind: "open" },
  unreportedCodes: [],
  answers: "history",
  unknownAnswer: "not-found",
  lateHours: 0.3,
  lateDays: 0,
  lateShare: 0,
  repeatShare: 0,
  correctedShare: 0,
  lostShare: 0,
  daysOnlyShare: 0,
  silentShare: 0,
  terseShare: 0,
  falseShare: 0,
  aheadShare: 0,
  weightIn: "waybill",
  groupsThousands: false,
  writesLoneArrivals: false,
  padsLines: false,
  selfTotalShare: 0,
  partInHeadShare: 0,
  byPieceShare: 0,
  garbledShare: 0,
  atOnceShare: 0,
  poundsShare: 0,
  bareShare: 0,
  answersLagMinutes: 0,
  outagesAMonth: 0,
  throttlesAMonth: 0,
};

export const AIRLINES: readonly Airline[] = [
  // Prompt, complete and right.
  {
    ...PROMPT,
    iata: "1Q",
    name: "Albatross Cargo",
    prefix: "941",
    hub: "FRA",
    protocol: "fsa",
    unknownAnswer: "remark",
  },
  // Reports arrivals by ARR alone, and that cargo can be fetched by its clearance; down at times.
  {
    ...PROMPT,
    iata: "2Q",
    name: "Bustard Air",
    prefix: "942",
    hub: "DXB",
    protocol: "fsa",
    version: 14,
    access: { kind: "key", header: "X-Api-Key", value: "simulated-bustard" },
    unreportedCodes: ["FOH", "PRE", "AWR", "AWD", "NFD", ...PRESENT_CODES],
    lateHours: 3,
    lateDays: 1,
    lateShare: 0.05,
    correctedShare: 0.08,
    falseShare: 0.12,
    aheadShare: 0.15,
    groupsThousands: true,
    padsLines: true,
    selfTotalShare: 0.4,
    outagesAMonth: 6,
  },
  // Answers with what it said last only, so that what it says while it is down is not heard.
  {
    ...PROMPT,
    iata: "3Q",
    name: "Curlew Airlines",
    prefix: "943",
    hub: "HKG",
    protocol: "fsa",
    version: 12,
    envelope: "type-b",
    answers: "latest",
    unknownAnswer: "error-message",
    unreportedCodes: ["ARR", "CRC", "CCD", "TRM", ...PRESENT_CODES],
    lateHours: 6,
    silentShare: 0.1,
    terseShare: 0.15,
    weightIn: "statuses",
    groupsThousands: true,
    writesLoneArrivals: true,
    repeatShare: 0.1,
    outagesAMonth: 3,
    throttlesAMonth: 4,
  },
  {
    ...PROMPT,
    iata: "4Q",
    name: "Dunlin Air Freight",
    prefix: "944",
    hub: "ORD",
    protocol: "one-record",
    access: { kind: "oauth", clientId: "boathook", clientSecret: "simulated-dunlin" },
    unreportedCodes: ["AWD", "CRC"],
    correctedShare: 0.05,
    byPieceShare: 0.3,
    silentShare: 0.1,
    falseShare: 0.15,
    aheadShare: 0.1,
    outagesAMonth: 4,
    throttlesAMonth: 4,
  },
  {
    ...PROMPT,
    iata: "5Q",
    name: "Egret Cargo",
    prefix: "945",
    hub: "SIN",
    protocol: "one-record",
    unreportedCodes: ["PRE", "MAN", "ARR"],
    lateHours: 5,
    lateDays: 2,
    lateShare: 0.08,
    daysOnlyShare: 0.2,
    falseShare: 0.08,
  },
  // Pushes each message once, in order.
  {
    ...PROMPT,
    iata: "6Q",
    name: "Fulmar Air",
    prefix: "940",
    hub: "AMS",
    protocol: "fsu",
    envelope: "type-b",
    partInHeadShare: 0.3,
  },
  // Pushes things twice, days late, in any order, and puts times right.
  {
    ...PROMPT,
    iata: "7Q",
    name: "Gannet Airways",
    prefix: "947",
    hub: "DOH",
    protocol: "fsu",
    version: 13,
    envelope: "edifact",
    selfTotalShare: 0.2,
    garbledShare: 0.08,
    atOnceShare: 0.3,
    poundsShare: 0.4,
    bareShare: 0.12,
    unreportedCodes: ["ARR", ...PRESENT_CODES],
    lateHours: 8,
    lateDays: 3,
    lateShare: 0.15,
    repeatShare: 0.2,
    correctedShare: 0.15,
    lostShare: 0.03,
    daysOnlyShare: 0.15,
    silentShare: 0.1,
    terseShare: 0.12,
    aheadShare: 0.2,
  },
  // Says everything twice: it can be asked, and pushes.
  {
    ...PROMPT,
    iata: "8Q",
    name: "Heron Air Cargo",
    prefix: "948",
    hub: "LHR",
    protocol: "one-record",
    alsoPushes: true,
    version: 14,
    unreportedCodes: ["AWR", "CRC"],
    lateHours: 2,
    groupsThousands: true,
    answersLagMinutes: 45,
    outagesAMonth: 8,
  },
];
