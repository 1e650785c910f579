/** Lines that may follow a status: customs (OCI), unit load devices (ULD) and other information (OSI). */
import type { AirEvent } from "../../timeline/air-event.ts";
import type { JoinedLine, Line } from "./lines.ts";
import { quoted, type Report } from "./problem.ts";

type Customs = AirEvent["customs"][number];

export type Supplements = {
  readonly remarks: string[];
  readonly customs: Customs[];
  readonly ulds: string[];
};

export const emptySupplements = (): Supplements => ({ remarks: [], customs: [], ulds: [] });

/** Of each kind, after one status. */
const SUPPLEMENTS_MAX = 100;

export function isSupplementCode(code: string): boolean {
  return READERS.has(code);
}

/** False: the line is no supplement. */
export function readSupplement(code: string, joined: JoinedLine, into: Supplements, report: Report): boolean {
  const read = READERS.get(code);
  if (read === undefined) return false;
  for (const [number, line] of [joined.head, ...joined.continuations].entries()) {
    read(line, number === 0 ? 4 : 1, into, report);
  }
  return true;
}

type ReadLine = (line: Line, from: number, into: Supplements, report: Report) => void;

const READERS: ReadonlyMap<string, ReadLine> = new Map([
  ["OCI", readCustoms],
  ["ULD", readUlds],
  ["OSI", readRemark],
]);

function readRemark(line: Line, from: number, { remarks }: Supplements, report: Report): void {
  const text = line.text.slice(from).trim();
  if (text !== "") add(remarks, text, line, report);
}

/** `US/CNE/T/12-3456789`: country, information, control information, and the text, which may have slants. */
function readCustoms(line: Line, from: number, { customs }: Supplements, report: Report): void {
  const [country = "", info = "", control = ""] = line.capitals.slice(from).split("/", FIELDS_BEFORE_TEXT);
  const written = line.text.slice(from + country.length + info.length + control.length + 3).trim();
  const trimmed = [country, info, control].map((field) => field.trim());
  if (written === "" && trimmed.every((field) => field === "")) return;
  if (!/^(?:[A-Z]{2})?$/.test(trimmed[0]!)) {
    report(line, from, `a country of two letters is expected here, not ${quoted(trimmed[0]!)}`);
    return;
  }
  const entry = {
    country: trimmed[0]! || null,
    info: trimmed[1]!,
    control: trimmed[2]! || null,
    text: written,
  };
  add(customs, entry, line, report);
}

const FIELDS_BEFORE_TEXT = 3;

/** `AKE12345LH-M/PMC7253QR`: the letter after the hyphen is the loading indicator. */
function readUlds(line: Line, from: number, { ulds }: Supplements, report: Report): void {
  let start = from;
  while (start <= line.capitals.length && ulds.length <= SUPPLEMENTS_MAX) {
    const slant = line.capitals.indexOf("/", start);
    const end = slant === -1 ? line.capitals.length : slant;
    const device = line.capitals.slice(start, end).replaceAll(" ", "");
    const named = /^([A-Z][A-Z0-9]{2}[A-Z0-9]{4,5}[A-Z0-9]{2,3})(?:-[A-Z])?$/.exec(device);
    if (named !== null) add(ulds, named[1]!, line, report);
    else if (device !== "")
      report(line, start, `a ULD such as AKE12345LH is expected here, not ${quoted(device)}`);
    start = end + 1;
  }
}

function add<T>(list: T[], item: T, line: Line, report: Report): void {
  if (list.length < SUPPLEMENTS_MAX) list.push(item);
  else report(line, 0, `more than ${SUPPLEMENTS_MAX} of these: this one is not read`);
}
