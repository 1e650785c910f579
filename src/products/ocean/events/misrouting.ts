import type { Place } from "../sources/carrier-event.ts";
import type { BoxRecord, AlreadyRaised } from "../record/shipment-record.ts";
import { companionTimesAt } from "../timeline/companion-times.ts";
import type { EventDrafts } from "./draft.ts";

/** (spec 2.4: container_misrouted; 6.3: container_misrouted) */
export function misroutingEvents({ misrouting }: BoxRecord, raised: AlreadyRaised): EventDrafts {
  if (misrouting === null || raised.misrouted) return { drafts: [], raised };
  const { at, discharge, expected } = misrouting;
  const data = {
    discharge_port: unlocodeOf(discharge),
    expected_port: unlocodeOf(expected),
    ...companionTimesAt(at, discharge),
  };
  return {
    drafts: [{ type: "container_misrouted", data, key: "container_misrouted" }],
    raised: { ...raised, misrouted: true },
  };
}

/** Carriers use codes of their own for places without a UN/LOCODE. */
function unlocodeOf({ unlocode }: Place): string | null {
  return unlocode !== null && /^[A-Z]{2}[A-Z2-9]{3}$/.test(unlocode) ? unlocode : null;
}
