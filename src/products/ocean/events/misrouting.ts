import type { Place } from "../sources/carrier-event.ts";
import type { BoxRecord, AlreadyRaised } from "../record/shipment-record.ts";
import { isRaisedAt, keyAt, withKeys } from "./raised-keys.ts";
import { companionTimesAt } from "../timeline/companion-times.ts";
import type { EventDrafts } from "./draft.ts";

/**
 * Once for each port of discharge (spec 2.4: container_misrouted; 6.2: container_misrouted;
 * 6.3: container_misrouted).
 */
export function misroutingEvents({ misrouting }: BoxRecord, raised: AlreadyRaised): EventDrafts {
  const type = "container_misrouted";
  if (misrouting === null || isRaisedAt(raised.keys ?? {}, type, misrouting.discharge))
    return { drafts: [], raised };
  const { at, discharge, expected } = misrouting;
  const key = keyAt(type, discharge);
  const data = {
    discharge_port: unlocodeOf(discharge),
    expected_port: unlocodeOf(expected),
    ...companionTimesAt(at, discharge),
  };
  return {
    drafts: [{ type, data, key }],
    raised: withKeys(raised, [key]),
  };
}

/** Carriers use codes of their own for places without a UN/LOCODE. */
function unlocodeOf({ unlocode }: Place): string | null {
  return unlocode !== null && /^[A-Z]{2}[A-Z2-9]{3}$/.test(unlocode) ? unlocode : null;
}
