/**
 * Journeys as text, one a paragraph:
 *
 *     rolled over at Shanghai
 *       form: maersk   track: container   armed
 *       look 03-05T08:00
 *         + GTOT empty CNSHA/depot 03-04T09:00 | ~DEPA CNSHA 03-10T18:00 HERON/12W
 *         = pre_departure                         # a first look raises nothing
 *       look 03-11T08:00
 *         - ~DEPA CNSHA
 *         + ~DEPA CNSHA 03-17T18:00 TERN/3W
 *         = pre_departure to NLRTM
 *         ! schedule_disruption slipped 168h rolled HERON TERN
 *       by 03-18T10:00 = in_transit
 *
 * A look has its time in UTC, of the year 2026. `+` adds statements, `-` removes statements that begin as written (`~*` all
 * plans and estimates, `*` all), `free 04-20` states the last free day. A statement has its code (`~` planned, `?`
 * estimated, `SRM:RELS` a document), its place with a terminal, `depot`, `inland`, `ramp` or `door`, and its local time;
 * then what differs from a laden move by its usual means. `=` is the status shown, with `A:status B:status` of several
 * boxes, `awaiting` the next trip, the port of discharge after `to`. `!` is an event raised: the previous and
 * new status, and when it happened by the clocks of the place (`untimed`: nobody reported it). `by` is what time alone brought.
 */
import { FORMS } from "../carrier-forms/forms.ts";
import type { StatedPlace, Statement } from "../carrier-forms/statement.ts";

export type Journey = {
  readonly name: string;
  readonly form: string;
  readonly track: "container_id" | "bill_of_lading" | "booking";
  readonly isArmed: boolean;
  readonly looks: readonly Look[];
};

export type Look = {
  readonly atMs: number;
  readonly statements: readonly Statement[];
  /** What is shown after it, and after each moment that time alone brings before the next look. */
  readonly expected: readonly Shown[];
};

/** `at` is `look` or the moment in UTC. */
export type Shown = { readonly at: string; readonly status: string; readonly events: readonly string[] };

export const BOXES: Readonly<Record<string, string>> = {
  A: "HRNU4000017",
  B: "HRNU4000022",
  C: "HRNU4000038",
};

const TRACKS: Readonly<Record<string, Journey["track"]>> = {
  container: "container_id",
  bill: "bill_of_lading",
  booking: "booking",
};

export function readJourneys(text: string): readonly Journey[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => linesOf(paragraph))
    .filter((lines) => lines.length > 0)
    .map(readJourney);
}

function linesOf(paragraph: string): readonly string[] {
  return paragraph
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");
}

function readJourney([name = "", head = "", ...lines]: readonly string[]): Journey {
  const word = (key: string): string => new RegExp(`${key}: *(\\S+)`).exec(head)?.[1] ?? "";
  const track = TRACKS[word("track")];
  if (track === undefined) throw new Error(`${name}: track what? ${head}`);
  const looks: { atMs: number; statements: Statement[]; expected: Shown[] }[] = [];
  for (const line of lines) {
    const rest = line.replace(/^\S+ */, "");
    const look = looks.at(-1);
    if (line.startsWith("look ")) {
      looks.push({ atMs: utc(rest), statements: [...(look?.statements ?? [])], expected: [] });
      continue;
    }
    if (look === undefined) throw new Error(`${name}: before the first look: ${line}`);
    applyLine(line, look, FORMS[word("form")]?.keepsPlans === true);
  }
  return { name, form: word("form"), track, isArmed: head.endsWith("armed"), looks };
}

function applyLine(
  line: string,
  look: { atMs: number; statements: Statement[]; expected: Shown[] },
  keepsPlans: boolean,
): void {
  const rest = line.replace(/^\S+ */, "");
  if (line.startsWith("+ ")) {
    for (const text of rest.split("|")) addStatement(look, readStatement(text.trim(), look.atMs), keepsPlans);
  } else if (line.startsWith("- ")) {
    for (const text of rest.split("|"))
      look.statements = look.statements.filter((one) => !begins(one, text.trim()));
  } else if (line.startsWith("free ")) {
    const [day = "", box] = rest.split(" ");
    look.statements = look.statements.map((one) =>
      one.kind === "equipment" && (box === undefined || one.box === BOXES[box])
        ? { ...one, lastFreeDay: `2026-${day}`, statedMs: look.atMs }
        : one,
    );
  } else if (line.startsWith("= ")) {
    look.expected.push({ at: "look", status: rest, events: [] });
  } else if (line.startsWith("by ")) {
    const [at = "", status = ""] = rest.split(" = ");
    look.expected.push({ at, status, events: [] });
  } else if (line.startsWith("! ")) {
    const last = look.expected.pop();
    if (last === undefined) throw new Error(`an event before its status: ${line}`);
    look.expected.push({ ...last, events: [...last.events, rest] });
  } else throw new Error(`what is this? ${line}`);
}

/** What has happened takes the place of its plan, save for a carrier that keeps plans. */
function addStatement(look: { statements: Statement[] }, added: Statement, keepsPlans: boolean): void {
  const isFulfilled = (one: Statement): boolean =>
    !keepsPlans &&
    added.classifier === "actual" &&
    one.classifier !== "actual" &&
    one.code === added.code &&
    one.place?.port === added.place?.port &&
    one.mode === added.mode &&
    (one.kind === "transport" || one.box === added.box);
  const previous = look.statements.find((one) => one.lastFreeDay !== null && one.box === added.box);
  const lastFreeDay = added.kind === "equipment" ? (previous?.lastFreeDay ?? null) : null;
  look.statements = [...look.statements.filter((one) => !isFulfilled(one)), { ...added, lastFreeDay }];
}

const MARKS: Readonly<Record<string, Statement["classifier"]>> = { "~": "planned", "?": "estimated" };
const MODES: readonly string[] = ["vessel", "truck", "rail", "barge"];
const MOVEMENTS: readonly string[] = ["export", "transshipment", "import"];
const BY_VESSEL = new Set(["LOAD", "DISC", "ARRI", "DEPA"]);

function readStatement(text: string, statedMs: number): Statement {
  const [written = "", ...words] = text.split(/ +/);
  const classifier = MARKS[written.charAt(0)] ?? "actual";
  const [code = "", state] = written.replace(/^[~?]/, "").split(":");
  const day = words.find((word) => /^\d\d-\d\d/.test(word)) ?? "";
  if (day === "") throw new Error(`when? ${text}`);
  const where = words.find((word) => /^[A-Z]{2}[A-Z0-9]{3}(\/|$)/.test(word) && !word.includes("="));
  const by = words.find((word) => /^[A-Z]{4,}\/|^-\/\d/.test(word) && word !== where)?.split("/");
  const value = (key: string): string | undefined =>
    words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
  const mode =
    words.find((word) => MODES.includes(word))?.toUpperCase() ?? (BY_VESSEL.has(code) ? "VESSEL" : "TRUCK");
  const kind =
    state !== undefined ? "shipment" : code === "ARRI" || code === "DEPA" ? "transport" : "equipment";
  return {
    kind,
    code: state ?? code,
    classifier,
    place: where === undefined ? null : placeIn(where),
    local: `2026-${day}${day.includes("T") ? "" : "T00:00"}:00`.replace("2026-12", "2025-12"),
    vessel: by?.[0] === undefined || by[0] === "-" ? null : by[0],
    voyage: by?.[1] ?? null,
    mode: kind === "shipment" ? null : (mode as Statement["mode"]),
    laden: words.includes("empty") ? false : words.includes("unsaid") ? null : true,
    movement: (words.find((word) => MOVEMENTS.includes(word)) ?? null) as Statement["movement"],
    document: state === undefined ? null : code,
    booking: value("bkg") ?? "TST600001",
    box: BOXES[value("box") ?? "A"] ?? "",
    lastFreeDay: null,
    statedMs: value("stated") === undefined ? statedMs : utc(value("stated") ?? ""),
  };
}

const FACILITY_TYPES: Readonly<Record<string, string>> = {
  depot: "DEPO",
  inland: "INTE",
  ramp: "RAMP",
  door: "CLOC",
  anchorage: "ANCH",
};

function placeIn(where: string): StatedPlace {
  const [port = "", facility = "T1"] = where.split("/");
  const facilityType = FACILITY_TYPES[facility] ?? "POTE";
  return { port, facility: facility.toUpperCase(), facilityType };
}

/** `~DEPA CNSHA HERON` begins a planned departure of that port and vessel. */
function begins(one: Statement, text: string): boolean {
  const [written = "", ...words] = text.split(/ +/);
  if (written === "*") return true;
  if (written === "~*") return one.classifier !== "actual";
  const named = readStatement(`${written} ${words.join(" ")} 01-01`, 0);
  const isOf = words.some((word) => word.startsWith("box=")) ? one.box === named.box : true;
  return (
    isOf &&
    one.code === named.code &&
    one.document === named.document &&
    (one.classifier === "actual") === (named.classifier === "actual") &&
    (named.place === null || named.place.port === one.place?.port) &&
    (!words.some((word) => MODES.includes(word)) || one.mode === named.mode) &&
    (named.vessel === null || named.vessel === one.vessel)
  );
}

function utc(text: string): number {
  const ms = Date.parse(`2026-${text}:00Z`);
  if (Number.isNaN(ms)) throw new Error(`no time: ${text}`);
  return ms;
}
