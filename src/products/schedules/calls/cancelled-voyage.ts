/**
 * Which voyage a call cancels, and what that means for the other calls of the voyage. One blanked call blanks the
 * voyage, and nobody may sell its other legs: they are cancelled with it as long as a call of it says so and the
 * vessel has not sailed on it.
 */
import {
  cancellationOf,
  isWhollyOnVoyage,
  statedVoyageStatus,
  voyageOf,
  type CallRecord,
  type VoyageStatus,
} from "./call-record.ts";
import { withReinstatement } from "./next-call-record.ts";
import { callsOfVoyage, voyagesOf } from "./voyages.ts";

/**
 * The number of the voyage that is cancelled with the call; null: the call alone is. A call between two voyages
 * belongs to both: their other calls show which one is meant.
 */
export function cancelledVoyage(call: CallRecord, voyages: readonly CallRecord[]): string | null {
  const own = voyageOf(call);
  if (own === "") return null;
  if (cancellationOf(call) === "port_call") {
    const all = callsOfVoyage(call, voyages);
    const isWhole =
      call.goneMs !== null && all.length > 1 && all.every((one) => cancellationOf(one) !== null);
    return isWhole ? own : null;
  }
  const isBlanked = (number: string): boolean =>
    callsWhollyOn(number, call, voyages).some((one) => statedVoyageStatus(one) !== null);
  const { import: came } = call.voyage;
  if (came === null || came === own || isBlanked(own)) return own;
  if (isBlanked(came)) return came;
  return callsWhollyOn(own, call, voyages).length === 0 ? own : null;
}

/** The calls that it also reaches on the voyage, as far as is known. */
function callsWhollyOn(number: string, call: CallRecord, voyages: readonly CallRecord[]) {
  return callsOfVoyage(call, voyages, number).filter(isWhollyOnVoyage);
}

/** The call is cancelled by another call of its voyage alone. */
export function isCancelledByVoyage(call: CallRecord): boolean {
  return cancellationOf(call) === "voyage" && statedVoyageStatus(call) === null;
}

/** Whether the change may cancel other calls of the voyage, or reinstate them. */
export function touchesVoyage(before: CallRecord | null, after: CallRecord): boolean {
  return (
    before === null ||
    statedVoyageStatus(before) !== statedVoyageStatus(after) ||
    voyageOf(before) !== voyageOf(after) ||
    before.vessel.imo !== after.vessel.imo ||
    (before.departure.actual === null && after.departure.actual !== null)
  );
}

/** The calls that the changed ones' voyages cancel or reinstate, as they are then. */
export function withVoyageStatus(
  changed: readonly CallRecord[],
  all: readonly CallRecord[],
  atMs: number,
): readonly CallRecord[] {
  const voyages = voyagesOf(changed, all).filter(([call]) => call !== undefined && voyageOf(call) !== "");
  return voyages.flatMap((voyage) => {
    const status = voyageStatusOf(voyage, all);
    return voyage.flatMap((call) => {
      const own = call.departure.actual === null ? status : null;
      if ((call.voyageStatus ?? null) === own) return [];
      return [withReinstatement(call, { ...call, voyageStatus: own }, atMs)];
    });
  });
}

function voyageStatusOf(voyage: readonly CallRecord[], all: readonly CallRecord[]): VoyageStatus | null {
  if (voyage.some(({ departure }) => departure.actual !== null)) return null;
  const statuses = voyage.flatMap((call) => {
    const status = statedVoyageStatus(call);
    return status !== null && cancelledVoyage(call, all) === voyageOf(call) ? [status] : [];
  });
  return statuses.includes("BLNK") ? "BLNK" : (statuses[0] ?? null);
}
