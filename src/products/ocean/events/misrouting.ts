/** `container_misrouted` of spec 2.4 and 6.3. */
import type { Place } from "../sources/carrier-event.ts";
import type { BoxRecord, AlreadyRaised } from "../record/shipment-record.ts";
import { companionTimesAt, type EventDrafts } from "./draft.ts";

export function misroutingEvents({ misrouting }: BoxRecord, told: AlreadyRaised): EventDrafts {
  if (misrouting === null || told.misrouted) return { drafts: [], raised: told };
  const { at, discharge, expected } = misrouting;
  const data = {
    discharge_port: unlocodeOf(discharge),
    expected_port: unlocodeOf(expected),
    ...companionTimesAt(at, discharge),
  };
  return {
    drafts: [{ type: "container_misrouted", data, key: "container_misrouted" }],
    raised: { ...told, misrouted: true },
  };
}

/** Carriers have codes of their own for places without one, and the event's data takes none of those. */
function unlocodeOf({ unlocode }: Place): string | null {
  return unlocode !== null && /^[A-Z]{2}[A-Z2-9]{3}$/.test(unlocode) ? unlocode : null;
}
