/**
 * One statement for each call. An answer may state a call several times: on two routings, on two pages, or its
 * arrival in one place and its departure in another. Stated twice it would look as if the vessel called twice.
 */
import type { CallStatement, CallTime, CallTimes } from "../call-statement.ts";

/** Times of one call, told at once, do not differ by more. */
const APART_MS_MAX = 6 * 3_600_000;
/** The longest stay in a port that an arrival and a departure told apart are taken for. */
const STAY_MS_MAX = 7 * 24 * 3_600_000;
/** A voyage calls at a port once or twice: what was stated before the last few is no more compared. */
const COMPARED_MAX = 16;

/** In the order in which each call was stated first. */
export function joinCalls(calls: readonly CallStatement[]): readonly CallStatement[] {
  const joined: CallStatement[] = [];
  const places = new Map<string, number[]>();
  for (const call of calls) {
    const key = JSON.stringify([call.carrier, call.port, call.vessel.imo ?? call.vessel.name]);
    const before = places.get(key) ?? [];
    const same = before.slice(-COMPARED_MAX).find((index) => isSameCall(joined[index]!, call));
    if (same !== undefined) {
      joined[same] = together(joined[same]!, call);
      continue;
    }
    places.set(key, before);
    before.push(joined.push(call) - 1);
  }
  return joined;
}

function isSameCall(one: CallStatement, other: CallStatement): boolean {
  if (one.reference !== null && other.reference !== null) return one.reference === other.reference;
  const mayBe =
    agree(one.service.code, other.service.code) &&
    agree(one.terminal, other.terminal) &&
    agree(one.voyage.import, other.voyage.import) &&
    agree(one.voyage.export, other.voyage.export);
  return mayBe && areTimesOfOne(one, other);
}

function agree(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

function areTimesOfOne(one: CallStatement, other: CallStatement): boolean {
  const [arrives, departs] = [best(one.arrival), best(one.departure)];
  const [otherArrives, otherDeparts] = [best(other.arrival), best(other.departure)];
  const pairs = [
    [arrives, otherArrives],
    [departs, otherDeparts],
  ] as const;
  const shared = pairs.filter(([a, b]) => a !== null && b !== null);
  if (shared.length > 0) return shared.every(([a, b]) => Math.abs(a!.ms - b!.ms) <= APART_MS_MAX);
  return isStay(arrives, otherDeparts) || isStay(otherArrives, departs);
}

function isStay(arrival: CallTime | null, departure: CallTime | null): boolean {
  if (arrival === null || departure === null) return false;
  const stayMs = departure.ms - arrival.ms;
  return stayMs >= 0 && stayMs <= STAY_MS_MAX;
}

function best({ actual, estimated, planned }: CallTimes): CallTime | null {
  return actual ?? estimated ?? planned;
}

/** What the first statement leaves open, the other fills. */
function together(first: CallStatement, other: CallStatement): CallStatement {
  return {
    ...first,
    service: {
      code: first.service.code ?? other.service.code,
      name: first.service.name ?? other.service.name,
      universal: first.service.universal ?? other.service.universal,
    },
    voyage: {
      import: first.voyage.import ?? other.voyage.import,
      export: first.voyage.export ?? other.voyage.export,
    },
    portName: first.portName ?? other.portName,
    terminal: first.terminal ?? other.terminal,
    reference: first.reference ?? other.reference,
    status: first.status ?? other.status,
    arrival: filled(first.arrival, other.arrival),
    departure: filled(first.departure, other.departure),
    cutOffs: first.cutOffs ?? other.cutOffs,
    delayReason: first.delayReason ?? other.delayReason,
    remark: first.remark ?? other.remark,
  };
}

function filled(first: CallTimes, other: CallTimes): CallTimes {
  return {
    planned: first.planned ?? other.planned,
    estimated: first.estimated ?? other.estimated,
    actual: first.actual ?? other.actual,
  };
}
