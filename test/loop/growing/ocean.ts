/** Imports, and answers, callbacks and positions of the ocean. */
import { DCSA_SPELLING } from "../../../src/freight/dcsa/spelling.ts";
import { readJsonSteps } from "../../../src/model/json.ts";
import { readPositions } from "../../../src/products/ocean/operator/positions.ts";
import { parseBodies } from "../../../src/products/ocean/sources/dcsa/fetch.ts";
import { referencesIn, vesselsIn } from "../../../src/products/ocean/sources/dcsa/notification.ts";
import { readImport, type ImportFormat } from "../../../src/products/ocean/sources/imported/read-import.ts";
import { checkDigit } from "../../../src/freight/references/reference.ts";
import { type Intake, NOW_MS, sliced, many, listed, minute, letters } from "./grown.ts";

const boxOf = (at: number): string => {
  const number = `HRNU${String(at).padStart(6, "0")}`;
  return number + checkDigit(number);
};
const imported = (format: ImportFormat): Intake["read"] =>
  sliced((text) => readImport(Buffer.from(text), format, "edi-provider"));
const HEAD = "UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'";
const AT = "DTM+334:202611010800:203'";
const CODECO = "UNH+1+CODECO:D:95B:UN'BGM+34+1+9'";
const LEG = "TDT+20+612E+1++HRNL:172:182+++9321483:146::HERON'LOC+9+NLRTM'DTM+133:202611010800:203'";

export const EDIFACT: Intake = {
  read: imported("edi"),
  texts: {
    messages: [400, (n) => many(n, (at) => `${HEAD}CNI+1'STS+1+OA'${AT}RFF+EQ:${boxOf(at)}'UNT+5+1'`)],
    statuses: [400, (n) => `${HEAD}RFF+EQ:${boxOf(1)}'${many(n, () => `STS+1+OA'${AT}LOC+9+NLRTM'`)}`],
    consignments: [400, (n) => HEAD + many(n, (at) => `CNI+1+BILL${at}'STS+1+OA'${AT}`)],
    "containers of a status": [400, (n) => `${HEAD}STS+1+OA'${AT}${many(n, (at) => `EQD+CN+${boxOf(at)}'`)}`],
    "references of a status": [400, (n) => `${HEAD}STS+1+OA'${AT}${many(n, (at) => `RFF+EQ:${boxOf(at)}'`)}`],
    "places of a status": [20, (n) => `${HEAD}STS+1+OA'${AT}${"LOC+9+NLRTM'".repeat(n)}`],
    "times of a status": [20, (n) => `${HEAD}STS+1+OA'${many(n, (at) => `DTM+${at}:202611010800:203'`)}`],
    "transports of a status": [20, (n) => `${HEAD}STS+1+OA'${AT}${LEG.repeat(n)}`],
    "containers of a report": [
      400,
      (n) => CODECO + many(n, (at) => `EQD+CN+${boxOf(at)}'DTM+7:202611010800:203'LOC+165+NLRTM'`),
    ],
    "transports of a report": [20, (n) => `${CODECO}EQD+CN+${boxOf(1)}'${LEG.repeat(n)}`],
    "segments that nobody reads": [5_000, (n) => HEAD + "FTX+AAI'\n".repeat(n)],
    "empty segments": [20_000, (n) => HEAD + "'".repeat(n)],
    "released characters": [400, (n) => `${HEAD}STS+${"?+".repeat(n)}'`],
    "UNA again and again": [2_000, (n) => `${"UNA:+.? '".repeat(n)}${HEAD}`],
    "a segment without an end": [20_000, (n) => `${HEAD}BGM${"+?".repeat(n)}`],
  },
};

const IMPORT_HEADING = "container,milestone,time,location\n";

export const IMPORTS: Intake = {
  read: imported("csv"),
  texts: {
    rows: [400, (n) => IMPORT_HEADING + many(n, (at) => `${boxOf(at)},gate_in,${minute(at)},NLRTM`, "\n")],
    "wrong rows": [400, (n) => IMPORT_HEADING + many(n, (at) => `${letters(at)},x,y,z`, "\n")],
    columns: [400, (n) => `container,milestone,time,${many(n, (at) => `x${at}`, ",")}\n1,2,3`],
  },
};

export const IMPORTS_IN_JSON: Intake = {
  read: imported("json"),
  texts: {
    rows: [400, (n) => listed(n, (at) => ({ container: boxOf(at), milestone: "gate_in", time: minute(at) }))],
    names: [8_000, (n) => `[{${many(n, (at) => `"n${at}":0`, ",")}}]`],
  },
};

export const POSITIONS: Intake = {
  read: sliced(function* (text) {
    const json = yield* readJsonSteps(Buffer.from(text));
    return json.ok && readPositions(json.value, NOW_MS);
  }),
  texts: {
    positions: [
      500,
      (n) =>
        `{"positions":${listed(n, () => ({ imo: "9321483", status: "Moored", at: minute(0), name: "x".repeat(90) }))}}`,
    ],
  },
};

const dcsa = (at: number, more: object = {}) => ({
  ...{
    eventType: "EQUIPMENT",
    eventClassifierCode: "ACT",
    eventDateTime: minute(at),
    equipmentEventTypeCode: "LOAD",
  },
  transportCall: {
    UNLocationCode: "CNSHA",
    modeOfTransport: "VESSEL",
    vessel: { vesselIMONumber: "9321483" },
  },
  equipmentReference: boxOf(at % 20),
  ...more,
});

export const CALLBACKS: Intake = {
  read: sliced(function* (text) {
    const json = yield* readJsonSteps(Buffer.from(text));
    return json.ok && [referencesIn(json.value, DCSA_SPELLING), vesselsIn(json.value, DCSA_SPELLING)];
  }),
  texts: {
    events: [250, (n) => listed(n, (at) => dcsa(at, { equipmentReference: boxOf(at) }))],
    references: [
      1_500,
      (n) =>
        `[{"eventType":"EQUIPMENT","documentReferences":${listed(n, (at) => ({ documentReferenceType: "BKG", documentReferenceValue: `B${at}` }))}}]`,
    ],
  },
};

export const CARRIERS: Intake = {
  read: sliced((text) => parseBodies([text], DCSA_SPELLING)),
  texts: {
    events: [400, (n) => listed(n, (at) => dcsa(at, { eventID: String(at) }))],
    "one event": [400, (n) => listed(n, () => dcsa(1))],
    "versions of one event": [
      400,
      (n) => listed(n, (at) => dcsa(1, { eventID: "1", eventCreatedDateTime: minute(at) })),
    ],
    "retracted events": [400, (n) => listed(n, (at) => dcsa(at, { eventID: String(at), isRetracted: true }))],
    "events of no type": [3_000, (n) => listed(n, () => ({ eventType: "EQUIPMENT" }))],
    documents: [
      1_500,
      (n) =>
        listed(1, () =>
          dcsa(1, {
            documentReferences: Array.from({ length: n }, (_, at) => ({
              documentReferenceType: "BKG",
              documentReferenceValue: `B${at}`,
            })),
          }),
        ),
    ],
    "empty objects": [5_000, (n) => listed(n, () => ({}))],
  },
};
