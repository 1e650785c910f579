/** `container_misrouted` of spec 2.4 and 6.3. */
import type { BoxRecord, Told } from "../shipment-record.ts";
import { companionTimes, type Telling } from "./draft.ts";

export function misroutingEvents({ misrouting }: BoxRecord, told: Told): Telling {
  if (misrouting === null || told.misrouted) return { drafts: [], told };
  const { at, discharge, expected } = misrouting;
  const data = {
    discharge_port: discharge.unlocode,
    expected_port: expected.unlocode,
    ...companionTimes(at, discharge),
  };
  return {
    drafts: [{ type: "container_misrouted", data, key: "container_misrouted" }],
    told: { ...told, misrouted: true },
  };
}
