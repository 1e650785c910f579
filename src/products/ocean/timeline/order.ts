/**
 * Statements in order of time. Many carriers give dates only, so statements of one instant are ordered by the
 * sense of the journey: where the box is before it goes elsewhere, and at each place
 *
 *     empty pick-up ─▶ stuffing ─▶ arrival ─▶ discharge ─▶ documents ─▶ land moves ─▶ loading ─▶ departure ─▶ empty return
 */
import { placeKey, samePlace, type CarrierEvent } from "../sources/carrier-event.ts";

/** The order in which the statements are given does not matter. */
export function inOrder(statements: readonly CarrierEvent[]): readonly CarrierEvent[] {
  const sorted = statements.toSorted((a, b) => a.at.ms - b.at.ms);
  const ordered: CarrierEvent[] = [];
  const moves: CarrierEvent[] = [];
  for (let from = 0; from < sorted.length;) {
    const to = endOfMoment(sorted, from);
    const moment = sorted.slice(from, to);
    const next = moment.length === 1 ? moment : withinMoment(moment, moves);
    ordered.push(...next);
    moves.push(...next.filter(({ kind, place }) => kind !== "shipment" && place !== null));
    from = to;
  }
  return ordered;
}

/** What comes after the event in an ordered list of which it, or the statement that it is a reading of, is a part. */
export function eventsAfter(ordered: readonly CarrierEvent[], event: CarrierEvent): readonly CarrierEvent[] {
  return ordered.slice(positionOf(ordered, event) + 1);
}

export function positionOf(ordered: readonly CarrierEvent[], event: CarrierEvent): number {
  const index = ordered.indexOf(event);
  if (index >= 0) return index;
  const same = ordered.findIndex(
    ({ at, code, kind }) => at === event.at && code === event.code && kind === event.kind,
  );
  return same >= 0 ? same : ordered.findLastIndex(({ at }) => at.ms <= event.at.ms);
}

function endOfMoment(sorted: readonly CarrierEvent[], from: number): number {
  let to = from + 1;
  while (sorted[to]?.at.ms === sorted[from]?.at.ms) to += 1;
  return to;
}

/** `moves`: those before, at known places. */
function withinMoment(
  moment: readonly CarrierEvent[],
  moves: readonly CarrierEvent[],
): readonly CarrierEvent[] {
  const context = { moves, moment, isLaden: moves.findLast(({ laden }) => laden !== null)?.laden === true };
  const ranked = moment.map((event) => ({
    event,
    rank: rankOf(event, context),
    text: JSON.stringify(event),
  }));
  const byPlace = Map.groupBy(ranked, ({ event }) => placeKey(event.place));
  const unplaced = byPlace.get(null) ?? [];
  byPlace.delete(null);
  const here = placeKey(moves.at(-1)?.place ?? null);
  const places = [...byPlace]
    .map(([key, there]) => ({ key: key ?? "", there, order: orderOfPlace(there, key === here, moves) }))
    .toSorted((a, b) => a.order - b.order || compareTexts(a.key, b.key))
    .map(({ there }) => there);
  // Documents of customs and release follow the discharge.
  const atDischarge = places.findLastIndex((there) => there.some(({ rank }) => rank === RANKS.DISC));
  const withPapers = places.map((there, index) =>
    index === (atDischarge < 0 ? places.length - 1 : atDischarge) ? [...there, ...unplaced] : there,
  );
  return (places.length === 0 ? [unplaced] : withPapers).flatMap((there) =>
    there.toSorted((a, b) => a.rank - b.rank || compareTexts(a.text, b.text)).map(({ event }) => event),
  );
}

type Ranked = { readonly event: CarrierEvent; readonly rank: number };

/** A box leaves the place where it is, or begins, before a vessel brings it to another and a train on from there. */
function orderOfPlace(there: readonly Ranked[], isHere: boolean, before: readonly CarrierEvent[]): number {
  if (isHere) return -1;
  const ranks = there.map(({ rank }) => rank);
  const least = Math.min(...ranks);
  if (ranks.includes(RANKS.ARRI) || ranks.includes(RANKS.DISC)) return 1_000 + least;
  const sails = least < RANKS.ARRI || ranks.includes(RANKS.LOAD) || ranks.includes(RANKS.DEPA);
  return sails || !before.some(({ mode }) => mode === "vessel") ? least : 2_000 + least;
}

const RANKS = {
  PICK_UP: 10,
  STUF: 20,
  ARRI: 30,
  DISC: 40,
  DOCUMENT: 50,
  LAND: 60,
  LOAD: 70,
  DEPA: 80,
  STRP: 85,
};
const RETURN = 90;

type Moment = {
  readonly moves: readonly CarrierEvent[];
  readonly moment: readonly CarrierEvent[];
  /** The box carries a cargo before the moment. */
  readonly isLaden: boolean;
};

function rankOf(event: CarrierEvent, context: Moment): number {
  const { kind, code, documentType, laden, mode } = event;
  if (kind === "shipment") return documentType === "CUS" || documentType === "SRM" ? RANKS.DOCUMENT : 0;
  // Laden before, the box comes back before the next shipper fetches it.
  if (laden === false && (code === "GTOT" || code === "PICK"))
    return RANKS.PICK_UP + (context.isLaden ? RETURN : 0);
  if (laden === false && (code === "GTIN" || code === "DROP")) return RETURN;
  if (code === "STUF" || code === "STRP") return RANKS[code];
  const onLand = LAND_ORDER.indexOf(code);
  if (mode !== "vessel" && onLand >= 0) return RANKS.LAND + onLand + gateShift(event, context);
  if (code === "DISC" && followsLoading(event, context)) return RANKS.LOAD + 1;
  if (code === "ARRI" || code === "DISC" || code === "LOAD" || code === "DEPA") return RANKS[code];
  return onLand >= 0 ? RANKS.LAND + onLand : RANKS.DOCUMENT;
}

/** Of a train or truck that brings the box, and then of one that fetches it. */
const LAND_ORDER = ["ARRI", "GTIN", "DISC", "DROP", "LOAD", "GTOT", "PICK", "DEPA"];

/** A box that is at the place already goes out of a gate before it comes in at another one. */
function gateShift({ code, place }: CarrierEvent, { moves, moment }: Moment): number {
  if (code !== "GTIN") return 0;
  const isThere =
    samePlace(moves.at(-1)?.place ?? null, place) ||
    moment.some((other) => other.code === "DISC" && other.mode === "vessel" && samePlace(other.place, place));
  return isThere ? LAND_ORDER.length - 1 : 0;
}

/** Where the box did not come by sea, it is discharged only after a loading. */
function followsLoading({ place, vessel, movement }: CarrierEvent, { moves, moment }: Moment): boolean {
  if (movement === "transshipment" || movement === "import") return false;
  if (moves.some((other) => other.mode === "vessel" && !samePlace(other.place, place))) return false;
  const load = moment.find((other) => other.code === "LOAD" && samePlace(other.place, place));
  if (load === undefined || moves.some(({ code }) => code === "LOAD")) return false;
  return vessel?.name === load.vessel?.name && vessel?.imo === load.vessel?.imo;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
