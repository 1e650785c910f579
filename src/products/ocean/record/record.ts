/** The next record of a shipment: a function of the carrier's statements, the previous record and the time. */
import { runToEnd, type SlicedWork } from "../../../runtime/time-slices.ts";
import type { CarrierEvent } from "../sources/carrier-event.ts";
import { ASHORE } from "../status/status-groups.ts";
import { statementsByBox } from "../timeline/box-statements.ts";
import { believedAt } from "../timeline/early-actuals.ts";
import { withModes } from "../timeline/modes.ts";
import { identityKey, isCorrection } from "../timeline/timeline.ts";
import { nextBox, nextBoxAt, type ReducedBox } from "./box-record.ts";
import type { BoxRecord, RecordContext, ShipmentRecord, Statements } from "./shipment-record.ts";

/** The record after an answer. `previous` keeps boxes and trips the same from answer to answer. */
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
  const { carrier, identifierType, events, withdrawn = [], incomplete, isPrivate } = statements;
  const ownOf = statementsByBox(events.map((event) => believedAt(event, nowMs)));
  const boxes: ReducedBox[] = [];
  for (const equipment of containerNumbers(statements, previous)) {
    yield;
    const known = previousBox(previous, equipment);
    const before = known === null ? null : withoutWithdrawn(known, withdrawn);
    const stated = ownOf(equipment);
    boxes.push(
      incomplete === true && before !== null
        ? nextBox(
            equipment,
            withKnown(stated, before),
            withKnownFreeDay(statements, before),
            before,
            context,
            nowMs,
          )
        : nextBox(equipment, stated, statements, before, context, nowMs),
    );
  }
  const isIncomplete = incomplete ?? statements.isOfIncomplete;
  const cut = isIncomplete === true ? { incomplete: isIncomplete } : {};
  const own = isPrivate === true ? { isPrivate } : {};
  return combineBoxes({ ...own, carrier, identifierType, ...cut }, boxes);
}

/** The record at a later time without a new answer. */
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
 * The previous record of a box: under its number or, if the carrier had named no container yet, that of the
 * whole shipment. Null: the box is new.
 */
export function previousBox(previous: ShipmentRecord | null, equipment: string | null): BoxRecord | null {
  const boxes = previous?.boxes ?? [];
  return (
    boxes.find((box) => box.equipment === equipment) ?? boxes.find((box) => box.equipment === null) ?? null
  );
}

/** The boxes that the answer names, sorted; the previous ones if it names none. */
function containerNumbers(
  statements: Statements,
  previous: ShipmentRecord | null,
): readonly (string | null)[] {
  const inAnswer = new Set(statements.events.flatMap((event) => event.equipment ?? []));
  const { identifierType, reference, incomplete } = statements;
  const stays = incomplete === true ? knownBoxes(previous) : endedBoxes(previous);
  const named = [...inAnswer.union(new Set(inAnswer.size > 0 ? stays : []))].toSorted();
  // Some carriers answer for one container with all containers of its booking.
  if (identifierType === "container_id" && reference !== undefined && named.includes(reference))
    return [reference];
  if (named.length > 0) return named;
  return previous === null ? [null] : previous.boxes.map(({ equipment }) => equipment);
}

/** A box that had ended is not gone because one answer leaves it out (see `lostEnd`). */
function endedBoxes(previous: ShipmentRecord | null): readonly string[] {
  const ended = (previous?.boxes ?? []).filter(({ end }) => end && end.doubted !== true);
  return ended.flatMap(({ equipment }) => equipment ?? []);
}

function knownBoxes(previous: ShipmentRecord | null): readonly string[] {
  return (previous?.boxes ?? []).flatMap(({ equipment }) => equipment ?? []);
}

function combineBoxes(
  {
    isPrivate,
    carrier,
    identifierType,
    incomplete,
  }: Pick<ShipmentRecord, "isPrivate" | "carrier" | "identifierType" | "incomplete">,
  reduced: readonly ReducedBox[],
): ShipmentRecord {
  const least = reduced.reduce((one, other) => (isLessAdvanced(other, one) ? other : one));
  const changes = reduced.flatMap(({ changesAtMs }) => changesAtMs ?? []);
  return {
    ...(isPrivate === undefined ? {} : { isPrivate }),
    carrier,
    identifierType,
    status: least.box.status,
    eta: least.box.eta,
    boxes: reduced.map(({ box }) => box),
    leastFar: reduced.indexOf(least),
    changesAtMs: changes.length === 0 ? null : Math.min(...changes),
    ...(incomplete === undefined ? {} : { incomplete }),
  };
}

/** Of equally advanced boxes, the one that arrives last counts. */
function isLessAdvanced(one: ReducedBox, other: ReducedBox): boolean {
  if (one.progress !== other.progress) return one.progress < other.progress;
  return etaMs(one) > etaMs(other);
}

function etaMs({ box }: ReducedBox): number {
  return box.eta?.at.ms ?? Number.NEGATIVE_INFINITY;
}

/** The box that gives the shipment its status, journey and ETA. */
export function leastAdvancedBox({ boxes, leastFar: index, status }: ShipmentRecord): BoxRecord {
  const least = index === undefined ? (boxes.find((box) => box.status === status) ?? boxes[0]) : boxes[index];
  if (least === undefined) throw new Error("a record has no box");
  return least;
}

/** A stored record. Older records held the single box at top level. */
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
    // The arrival was raised, or happened before tracking began.
    told: { etaChangedOn: null, disruptions: [], arrived: status === "arriving" || ASHORE.includes(status) },
    ...stored,
  };
  return { carrier, identifierType, status, eta, boxes: [box], changesAtMs: null };
}

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

/** The statements of a box, and the known ones that none of them replaces. */
function withKnown(
  stated: readonly CarrierEvent[],
  { timeline, early = [] }: BoxRecord,
): readonly CarrierEvent[] {
  const byMeaning = Map.groupBy(stated, identityKey);
  const isReplaced = (known: CarrierEvent): boolean =>
    (byMeaning.get(identityKey(known)) ?? []).some(
      (event) =>
        known.classifier !== "actual" || (event.classifier === "actual" && isCorrection(event, known)),
    );
  return [...[...timeline, ...early].filter((known) => !isReplaced(known)), ...stated];
}

/** With the known last free day of the box, unless the answer states one. */
function withKnownFreeDay(statements: Statements, { equipment, freeTime }: BoxRecord): Statements {
  const { freeDays } = statements;
  if (freeTime?.source !== "carrier") return statements;
  if (freeDays.some((day) => day.equipment === null || day.equipment === equipment)) return statements;
  return { ...statements, freeDays: [...freeDays, { equipment, lastFreeDay: freeTime.lastFreeDay }] };
}

/** What a source takes back by name is believed at once; what an answer only leaves out may be a slip. Here the box is as it was known, without what is withdrawn: an end that was stated so stands for no further answer. */
function withoutWithdrawn(box: BoxRecord, withdrawn: readonly CarrierEvent[]): BoxRecord {
  if (withdrawn.length === 0) return box;
  const own = withModes(
    withdrawn.filter(({ equipment }) => equipment === null || equipment === box.equipment),
  );
  const stands = (known: CarrierEvent): boolean =>
    !own.some((one) => one.classifier === known.classifier && isCorrection(one, known));
  const { timeline, early, end = null } = box;
  return {
    ...box,
    timeline: timeline.filter(stands),
    ...(early === undefined ? {} : { early: early.filter(stands) }),
    ...(end === null || stands(end.event) ? {} : { end: { ...end, doubted: true } }),
  };
}
