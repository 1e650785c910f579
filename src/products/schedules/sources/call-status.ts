import { CALL_STATUSES, type CallStatus } from "../calls/call-statement.ts";
import { quoted, type Part, type ReadContext } from "./read-context.ts";
import { read, readText } from "./spelling.ts";

/** Of several codes, the one that matters most to waiting cargo counts. */
const SEVERITY: readonly CallStatus[] = [
  "BLNK",
  "OMIT",
  "CUTR",
  "SLID",
  "ROTC",
  "PHOT",
  "PHIN",
  "ADHO",
  "OOSV",
  "DRYD",
  "BUNK",
];

const CODES_MAX = 20;

/** OVS 3.0: `statusCodes` replaces the older `statusCode`. Null: the call is as planned, or the code is unknown. */
export function readStatus({ raw, path }: Part, reading: ReadContext): CallStatus | null {
  const several = read(raw, "statusCodes");
  const written = Array.isArray(several) ? several.slice(0, CODES_MAX) : [readText(raw, "statusCode")];
  const codes = written.flatMap((code: unknown) =>
    typeof code === "string" ? [code.trim().toUpperCase()] : [],
  );
  const unknown = codes.find((code) => !(CALL_STATUSES as readonly string[]).includes(code));
  if (unknown !== undefined) {
    reading.note(`${path}.statusCode`, `${quoted(unknown)} is none of ${CALL_STATUSES.join(", ")}`);
  }
  return SEVERITY.find((status) => codes.includes(status)) ?? null;
}
