/** A direct sailing in the public routes: a vessel's call at the origin and its call at the destination. */
import type { StoredSailing } from "../store/schedules-read.ts";
import { cancellationOf, expectedTime, type CallRecord } from "../calls/call-record.ts";
import { reasonFields, voyageFields } from "../events/event-draft.ts";
import { readCallRecord } from "../calls/call-row.ts";
import { showCutOffs, showPort, showTimes } from "./call-view.ts";
import { showScore } from "./reliability-view.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

export function showSailing({ origin, destination, onTime, measured }: StoredSailing): object {
  const [leaves, comes] = [readCallRecord(origin), readCallRecord(destination)];
  return {
    ...voyageFields(leaves),
    arrival_voyage: comes.voyage.import ?? comes.voyage.export,
    departure: { ...showPort(leaves), ...showTimes(leaves.port, leaves.departure), ...reasonFields(leaves) },
    arrival: { ...showPort(comes), ...showTimes(comes.port, comes.arrival), ...reasonFields(comes) },
    cancelled: cancellationOf(leaves) !== null || cancellationOf(comes) !== null,
    transit_days: transitDays(leaves, comes),
    cut_offs: showCutOffs(leaves),
    reliability: onTime === null || measured === null ? null : showScore({ onTime, measured }),
  };
}

/** To a tenth of a day. */
function transitDays(leaves: CallRecord, comes: CallRecord): number | null {
  const [departure, arrival] = [expectedTime(leaves.departure), expectedTime(comes.arrival)];
  return departure === null || arrival === null
    ? null
    : Math.round(((arrival.ms - departure.ms) / DAY_MS) * 10) / 10;
}
