/** One update's statements, by call: what it says of a call in several places becomes one statement. */
import { DAY_MS, HOUR_MS } from "../../../runtime/durations.ts";
import { serviceOf, voyageOf } from "./call-record.ts";
import type { CallStatement, CutOff } from "./call-statement.ts";
import { timeDistanceMs } from "./time-distance.ts";

/** One answer gives a call one time, give or take; two calls of a voyage at a port are further apart. */
const SAME_MS_MAX = 12 * HOUR_MS;
/** With the same transportCallReference. */
const SAME_REFERENCE_MS_MAX = 3 * DAY_MS;

/** Groups the statements of a voyage; without a number, those of a vessel. */
export function voyageKeyOf(statement: CallStatement): string {
  const { carrier, vessel } = statement;
  const voyage = voyageOf(statement);
  return JSON.stringify([carrier, voyage, voyage === "" ? (vessel.imo ?? vessel.name ?? "") : ""]);
}

/** Within a voyage, groups the statements of its calls at a port. */
export function portServiceKeyOf(statement: CallStatement): string {
  return JSON.stringify([statement.port, serviceOf(statement)]);
}

/** One statement for each call of a group, in whatever order the feed makes them. */
export function mergeStatements(group: readonly CallStatement[]): readonly CallStatement[] {
  const calls: CallStatement[] = [];
  for (const statement of sortStatements(group)) {
    const index = calls.findIndex((call) => isSameCall(call, statement));
    if (index === -1) calls.push(statement);
    else calls[index] = mergePair(calls[index]!, statement);
  }
  return calls;
}

function sortStatements(group: readonly CallStatement[]): readonly CallStatement[] {
  if (group.length === 1) return group;
  const texts = new Map(group.map((statement) => [statement, JSON.stringify(statement)]));
  return group.toSorted((one, other) => (texts.get(one)! < texts.get(other)! ? -1 : 1));
}

function isSameCall(one: CallStatement, other: CallStatement): boolean {
  const apartMs = timeDistanceMs(one, other);
  if (one.reference !== null && one.reference === other.reference) {
    return apartMs === null || apartMs <= SAME_REFERENCE_MS_MAX;
  }
  if (differ(one.terminal, other.terminal)) return false;
  return apartMs === null ? !differ(one.reference, other.reference) : apartMs <= SAME_MS_MAX;
}

function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}

/** The second fills in what the first leaves out. */
function mergePair(one: CallStatement, other: CallStatement): CallStatement {
  const { service, vessel, voyage, arrival, departure, cutOffs } = other;
  const isUnnamed = one.vessel.imo === null && one.vessel.name === null;
  return {
    ...fillNulls(one, other),
    service: fillNulls(one.service, service),
    vessel: isUnnamed ? vessel : withKnownParts(one.vessel, vessel),
    voyage: fillNulls(one.voyage, voyage),
    arrival: fillNulls(one.arrival, arrival),
    departure: fillNulls(one.departure, departure),
    cutOffs: mergeCutOffs(one.cutOffs, cutOffs),
  };
}

function fillNulls<Parts extends { readonly [name: string]: unknown }>(one: Parts, other: Parts): Parts {
  const parts = Object.keys({ ...one, ...other }).map((name) => [name, one[name] ?? other[name] ?? null]);
  return Object.fromEntries(parts) as Parts;
}

/** The first outweighs the second. */
export function mergeCutOffs(
  one: readonly CutOff[] | null,
  other: readonly CutOff[] | null,
): readonly CutOff[] | null {
  if (one === null || other === null) return one ?? other;
  return [...new Map([...other, ...one].map((cutOff) => [cutOff.code, cutOff])).values()];
}

type Vessel = CallStatement["vessel"];

/** If the one part that is stated matches the known vessel, that vessel: an IMO number or a name alone retracts nothing. */
export function withKnownParts(stated: Vessel, known: Vessel): Vessel {
  if (stated.isDummy !== known.isDummy) return stated;
  const isSame =
    stated.imo === null
      ? stated.name !== null && stated.name === known.name
      : stated.name === null && stated.imo === known.imo;
  return isSame ? known : stated;
}
