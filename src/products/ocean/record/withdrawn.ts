/** What its source takes back by name is believed at once; what an answer only leaves out may be a slip. */
import type { CarrierEvent } from "../sources/carrier-event.ts";
import { withModes } from "../timeline/modes.ts";
import { isCorrection } from "../timeline/timeline.ts";
import type { BoxRecord } from "./shipment-record.ts";

/** The box as it was known, without what is withdrawn: an end that was stated so stands for no further answer. */
export function withoutWithdrawn(box: BoxRecord, withdrawn: readonly CarrierEvent[]): BoxRecord {
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
