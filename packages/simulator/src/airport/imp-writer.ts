/**
 * Cargo-IMP status messages as an airline would send them, by the grammar in docs/cargo-imp.md.
 */
import type { AirEvent, LocalTime, TimeIndicator, WaybillStatement } from "./air-event.ts";

export type ImpHeading = { readonly type: "FSU" | "FSA"; readonly version: 12 | 13 | 14 | 15 };

/** How an airline writes what others write otherwise. */
export type ImpSpelling = { readonly groupsThousands: boolean; readonly writesLoneArrivals: boolean };

const PLAIN_SPELLING: ImpSpelling = { groupsThousands: false, writesLoneArrivals: false };

const CRLF = "\r\n";

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

const PARTS = { total: "T", part: "P", split: "S", divided: "D" } as const;

const INDICATORS: Readonly<Record<TimeIndicator, string>> = { actual: "A", estimated: "E", scheduled: "S" };

/** By how many days later. */
const DAY_CHANGES = new Map([
  [-1, "-P"],
  [0, ""],
  [1, "-N"],
  [2, "-S"],
  [3, "-T"],
]);

/** Lines end with CRLF, the last one too. Times lose their year, weights and volumes their unit's name. */
export function impMessage(
  { type, version }: ImpHeading,
  statement: WaybillStatement,
  spelling = PLAIN_SPELLING,
): string {
  const { awb, origin, destination, pieces, events } = statement;
  const quantity =
    statement.isOfPart === true ? partInHead(statement, spelling) : wholeInHead(statement, spelling);
  const waybill = `${awb.slice(0, 3)}-${awb.slice(3)}${origin ?? ""}${destination ?? ""}${quantity}`;
  const lines = [
    `${type}/${version}`,
    waybill,
    ...events.flatMap((event) =>
      linesOf(
        statement.isOfPart === true ? { ...event, pieces: null, party: null } : event,
        pieces,
        spelling,
      ),
    ),
  ];
  return lines.map((line) => `${line}${CRLF}`).join("");
}

function wholeInHead({ pieces, weightKg, isInPounds }: WaybillStatement, spelling: ImpSpelling): string {
  if (pieces === null) return "";
  return `/T${pieces}${weightKg === null ? "" : weightOf(weightKg, spelling, isInPounds)}`;
}

function partInHead({ pieces, events: [event] }: WaybillStatement, spelling: ImpSpelling): string {
  const weight = event!.weightKg === null ? "" : weightOf(event!.weightKg, spelling, event!.isInPounds);
  return `/P${event!.pieces}${weight}T${pieces}`;
}

function linesOf(event: AirEvent, waybillPieces: number | null, spelling: ImpSpelling): readonly string[] {
  return [
    ...statusLines(event, waybillPieces, spelling),
    ...customsLines(event),
    ...deviceLines(event),
    ...remarkLines(event),
  ];
}

function statusLines(
  event: AirEvent,
  waybillPieces: number | null,
  spelling: ImpSpelling,
): readonly string[] {
  const { code } = event;
  const volume = volumeFields(event);
  const quantity = quantityOf(event, waybillPieces, spelling);
  const fields = (...list: readonly (string | null)[]) =>
    withoutBlankEnd([code, ...list.map((text) => text ?? "")]);
  const when = dayAndTime(event);
  switch (code) {
    case "BKD":
    case "PRE":
    case "MAN":
    case "DEP":
      return [fields(...movementOf(event), quantity, ...flightTimes(event, flightDay(event)), ...volume)];
    case "RCF":
    case "ARR":
    case "AWR":
    case "FIW":
    case "FOW": {
      const times = flightTimes(event, dayOf(event.at));
      const isLone = spelling.writesLoneArrivals && event.departure === null;
      return [fields(designatorOf(event), when, event.station, quantity, ...times.slice(isLone ? 1 : 0))];
    }
    case "DIS":
      return [fields(designatorOf(event), when, event.station, event.discrepancy, quantity)];
    case "RCT":
    case "TFD":
      return transferLines(event, quantity);
    case "TRM":
      return [fields(event.transfer?.to ?? null, event.station, quantity)];
    case "RCS":
    case "FOH":
      return [fields(when, event.station, quantity, event.party), ...volume.map((field) => `/${field}`)];
    case "CRC": {
      const movement = event.from === null ? [event.party] : movementOf(event);
      return [fields(when, event.station, quantity, ...movement)];
    }
    default:
      return [fields(when, event.station, quantity, event.party)];
  }
}

/** The other carrier and a name stand on a line of their own. */
function transferLines(event: AirEvent, quantity: string): readonly string[] {
  const { code, station, transfer, party } = event;
  const [first, second] = code === "RCT" ? [transfer?.from, transfer?.to] : [transfer?.to, transfer?.from];
  const head = withoutBlankEnd([
    code,
    first ?? "",
    dayAndTime(event),
    station ?? "",
    quantity,
    transfer?.manifest ?? "",
  ]);
  if (party !== null) return [head, `/${second ?? ""}/${party}`];
  return second === undefined || second === null ? [head] : [head, `/${second}`];
}

function movementOf(event: AirEvent): readonly string[] {
  const day = flightDay(event);
  return [designatorOf(event), day === null ? "" : dayAndMonth(day), `${event.from ?? ""}${event.to ?? ""}`];
}

/** YYYY-MM-DD. */
function flightDay({ flight, departure, at, code }: AirEvent): string | null {
  return flight?.date ?? dayOf(departure ?? (code === "CRC" ? null : at));
}

function designatorOf({ flight }: AirEvent): string {
  return flight === null ? "" : `${flight.carrier}${flight.number}`;
}

/** Both, blank where they are unknown. */
function flightTimes(
  { departure, departureIs, arrival, arrivalIs }: AirEvent,
  day: string | null,
): readonly string[] {
  return [flightTime(departure, departureIs, day), flightTime(arrival, arrivalIs, day)];
}

function flightTime(time: LocalTime | null, is: TimeIndicator | null, day: string | null): string {
  if (time === null || day === null) return "";
  const daysLater = (Date.parse(time.local.slice(0, 10)) - Date.parse(day)) / 86_400_000;
  return `${is === null ? "" : INDICATORS[is]}${timeOfDay(time)}${DAY_CHANGES.get(daysLater) ?? ""}`;
}

function quantityOf(event: AirEvent, waybillPieces: number | null, spelling: ImpSpelling): string {
  const { pieces, weightKg, shipmentPart, totalPieces } = event;
  if (pieces === null) return "";
  const weight = weightKg === null ? "" : weightOf(weightKg, spelling, event.isInPounds);
  if (event.isGarbled === true) return `PX${weight}`;
  const inside = hasVolumeOutside(event) ? "" : volumeFields(event).join("");
  const isTold = shipmentPart === "total" ? (waybillPieces ?? pieces) : waybillPieces;
  const total = totalPieces === null || totalPieces === isTold ? "" : `T${totalPieces}`;
  return `${shipmentPart === null ? "M" : PARTS[shipmentPart]}${pieces}${weight}${inside}${total}`;
}

function weightOf(kg: number, { groupsThousands }: ImpSpelling, isInPounds?: true): string {
  const [whole = "", ...fraction] = String(isInPounds === true ? poundsOf(kg) : kg).split(".");
  const grouped = groupsThousands ? Number(whole).toLocaleString("en-US") : whole;
  return `${isInPounds === true ? "L" : "K"}${[grouped, ...fraction].join(".")}`;
}

/** Whole ones. */
function poundsOf(kg: number): number {
  return Math.round(kg / 0.453_592_37);
}

/** Where the volume has a place of its own behind the quantity. */
function hasVolumeOutside({ code }: AirEvent): boolean {
  return ["BKD", "PRE", "MAN", "DEP", "RCS", "FOH"].includes(code);
}

function volumeFields({ volumeM3, densityGroup }: AirEvent): readonly string[] {
  return [
    ...(volumeM3 === null ? [] : [`MC${volumeM3}`]),
    ...(densityGroup === null ? [] : [`DG${densityGroup}`]),
  ];
}

function customsLines({ customs }: AirEvent): readonly string[] {
  return customs.map(
    ({ country, info, control, text }, number) =>
      `${number === 0 ? "OCI" : ""}/${country ?? ""}/${info}/${control ?? ""}/${text}`,
  );
}

function deviceLines({ ulds }: AirEvent): readonly string[] {
  return ulds.length === 0 ? [] : [["ULD", ...ulds].join("/")];
}

function remarkLines({ remarks }: AirEvent): readonly string[] {
  return remarks.map((text, number) => `${number === 0 ? "OSI" : ""}/${text}`);
}

function dayAndTime({ at, isOfDay }: AirEvent): string {
  return at === null ? "" : `${dayAndMonth(at.local)}${isOfDay === true ? "" : timeOfDay(at)}`;
}

function dayOf(time: LocalTime | null): string | null {
  return time === null ? null : time.local.slice(0, 10);
}

/** Of a date, or a time that begins with one. */
function dayAndMonth(date: string): string {
  return `${date.slice(8, 10)}${MONTHS[Number(date.slice(5, 7)) - 1]}`;
}

function timeOfDay({ local }: LocalTime): string {
  return `${local.slice(11, 13)}${local.slice(14, 16)}`;
}

function withoutBlankEnd(fields: readonly string[]): string {
  return fields.slice(0, fields.findLastIndex((field) => field !== "") + 1).join("/");
}
