/** A direct sailing as anybody is shown it: a vessel's call at the one port, and its call at the other. */
import type { StoredSailing } from "../store/schedules-read.ts";
import { expected, type CallRecord } from "../calls/call-record.ts";
import { cancellationOf } from "../calls/cancellation.ts";
import { reasonNames, voyageNames } from "../events/draft.ts";
import { DAY_MS } from "../calls/nearness.ts";
import { readRecord } from "../calls/rows.ts";
import { showCutOffs, showPort, showTimes } from "./call-view.ts";
import { showScore } from "./reliability-view.ts";

export function showSailing({ origin, destination, onTime, measured }: StoredSailing): object {
  const [leaves, comes] = [readRecord(origin), readRecord(destination)];
  return {
    ...voyageNames(leaves),
    arrival_voyage: comes.voyage.import ?? comes.voyage.export,
    departure: { ...showPort(leaves), ...showTimes(leaves.port, leaves.departure), ...reasonNames(leaves) },
    arrival: { ...showPort(comes), ...showTimes(comes.port, comes.arrival), ...reasonNames(comes) },
    cancelled: cancellationOf(leaves) !== null || cancellationOf(comes) !== null,
    transit_days: transitDays(leaves, comes),
    cut_offs: showCutOffs(leaves),
    reliability: onTime === null || measured === null ? null : showScore({ onTime, measured }),
  };
}

/** To the tenth. */
function transitDays(leaves: CallRecord, comes: CallRecord): number | null {
  const [departure, arrival] = [expected(leaves.departure), expected(comes.arrival)];
  return departure === null || arrival === null
    ? null
    : Math.round(((arrival.ms - departure.ms) / DAY_MS) * 10) / 10;
}
