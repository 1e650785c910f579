/** A cut answer says nothing of what it leaves out: that still holds as it was known. */
import type { CarrierEvent } from "../sources/carrier-event.ts";
import { identityKey, isCorrection } from "../timeline/timeline.ts";
import type { BoxRecord, Statements } from "./shipment-record.ts";

/** The statements of a box, and the known ones that none of them replaces. */
export function withKnown(
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
export function withKnownFreeDay(statements: Statements, { equipment, freeTime }: BoxRecord): Statements {
  const { freeDays } = statements;
  if (freeTime?.source !== "carrier") return statements;
  if (freeDays.some((day) => day.equipment === null || day.equipment === equipment)) return statements;
  return { ...statements, freeDays: [...freeDays, { equipment, lastFreeDay: freeTime.lastFreeDay }] };
}
