/**
 * A shipment as it is known after an answer of its carrier, or after some time without one: what is
 * stored, shown and compared with the next look. Everything in it follows from the carrier's
 * statements, what was known before, and the time.
 */
import { runToEnd, type SlicedWork } from "../../../runtime/time-slices.ts";
import { nextBox, nextBoxAt, type ReducedBox } from "./box-record.ts";
import { statementsByBox } from "../timeline/box-statements.ts";
import {
  NOTHING_RAISED,
  type BoxRecord,
  type RecordContext,
  type ShipmentRecord,
  type Statements,
} from "./shipment-record.ts";

/** The record after an answer. `previous` keeps the boxes and their trips the same from answer to answer. */
export function nextRecord(
  statements: Statements,
  previous: ShipmentRecord | null,
  context: RecordContext,
  nowMs: number,
): ShipmentRecord {
  return runToEnd(nextRecordSteps(statements, previous, context, nowMs));
}

/** As {@link nextRecord}, box by box. */
export function* nextRecordSteps(
  statements: Statements,
  previous: ShipmentRecord | null,
  context: RecordContext,
  nowMs: number,
): SlicedWork<ShipmentRecord> {
  const { carrier, identifierType, events } = statements;
  const ownOf = statementsByBox(events);
  const looks: ReducedBox[] = [];
  for (const equipment of containerNumbers(statements, previous)) {
    yield;
    const before = previousBox(previous, equipment);
    looks.push(nextBox(equipment, ownOf(equipment), statements, before, context, nowMs));
  }
  return combineBoxes({ carrier, identifierType }, looks);
}

/** The record at a later time, without a new answer: what time alone changes. */
export function nextRecordAt(
  previous: ShipmentRecord,
  context: RecordContext,
  nowMs: number,
): ShipmentRecord {
  return combineBoxes(
    previous,
    previous.boxes.map((box) => nextBoxAt(box, previous.carrier, context, nowMs)),
  );
}

/**
 * What was known of a box before this look: under its number or, where the carrier had named no
 * container yet, of the shipment as a whole. Null: it is looked at for the first time.
 */
export function previousBox(previous: ShipmentRecord | null, equipment: string | null): BoxRecord | null {
  const boxes = previous?.boxes ?? [];
  return (
    boxes.find((box) => box.equipment === equipment) ?? boxes.find((box) => box.equipment === null) ?? null
  );
}

/** The boxes that the answer tells of, by number; those known before where it names none. */
function containerNumbers(
  statements: Statements,
  previous: ShipmentRecord | null,
): readonly (string | null)[] {
  const named = [...new Set(statements.events.flatMap((event) => event.equipment ?? []))].toSorted();
  const { identifierType, reference } = statements;
  // Some carriers answer for one container with all of its booking.
  const asked = identifierType === "container_id" && reference !== undefined && named.includes(reference);
  if (asked) return [reference];
  if (named.length > 0) return named;
  return previous === null ? [null] : previous.boxes.map(({ equipment }) => equipment);
}

function combineBoxes(
  { carrier, identifierType }: Pick<ShipmentRecord, "carrier" | "identifierType">,
  looks: readonly ReducedBox[],
): ShipmentRecord {
  const least = looks.reduce((one, other) => (isLessAdvanced(other, one) ? other : one));
  const changes = looks.flatMap(({ changesAtMs }) => changesAtMs ?? []);
  return {
    carrier,
    identifierType,
    status: least.box.status,
    eta: least.box.eta,
    boxes: looks.map(({ box }) => box),
    leastFar: looks.indexOf(least),
    changesAtMs: changes.length === 0 ? null : Math.min(...changes),
  };
}

/** It has come less far; of boxes that have come equally far the one that arrives last. */
function isLessAdvanced(one: ReducedBox, other: ReducedBox): boolean {
  if (one.progress !== other.progress) return one.progress < other.progress;
  return etaMs(one) > etaMs(other);
}

function etaMs({ box }: ReducedBox): number {
  return box.eta?.at.ms ?? Number.NEGATIVE_INFINITY;
}

/** The box that gives the shipment its status, way and ETA. */
export function leastAdvancedBox({ boxes, leastFar: index, status }: ShipmentRecord): BoxRecord {
  const least = index === undefined ? (boxes.find((box) => box.status === status) ?? boxes[0]) : boxes[index];
  if (least === undefined) throw new Error("a record has no box");
  return least;
}

/** A stored record. One from before records held several boxes is the record of the one it followed. */
export function readRecord(json: string): ShipmentRecord {
  const stored = JSON.parse(json) as ShipmentRecord | OldRecord;
  if ("boxes" in stored) return stored;
  const { carrier, identifierType, status, eta } = stored;
  const box: BoxRecord = {
    etaHistory: [],
    transshipments: [],
    misrouting: null,
    sailings: [],
    freeTime: null,
    // Whatever held by then has been told, or was there before tracking began.
    told: { ...NOTHING_RAISED, arrived: ARRIVED_STATUSES.has(status) },
    ...stored,
  };
  return { carrier, identifierType, status, eta, boxes: [box], changesAtMs: null };
}

const ARRIVED_STATUSES: ReadonlySet<string> = new Set([
  "arriving",
  "discharged",
  "customs_hold",
  "available",
  "delivered",
  "returned_empty",
]);

type OldRecord = Pick<ShipmentRecord, "carrier" | "identifierType"> &
  Pick<
    BoxRecord,
    | "equipment"
    | "status"
    | "eta"
    | "vessel"
    | "voyage"
    | "origin"
    | "discharge"
    | "destination"
    | "milestones"
    | "timeline"
    | "anchorMs"
    | "arrivingFromMs"
  >;
