/** Ocean's sources: carriers, the AIS feed, positions that are pushed, and imported milestones. */
import {
  idOf,
  polled,
  pushed,
  type SourceDescription,
  type SourcesOfProduct,
} from "../../freight/sources/description.ts";
import type { FilesOf } from "../manifest.ts";
import { MILESTONES_IMPORTED } from "./operator/milestones.ts";
import { POSITIONS } from "./operator/positions.ts";
import type { OCEAN_FILES } from "./settings.ts";
import { upstreamOf as aisUpstreamOf } from "./sources/ais/ais-client.ts";
import { callbacksOf } from "./sources/callback.ts";
import { portCallsOf, upstreamOf } from "./sources/carrier-client.ts";
import type { Carrier } from "./sources/carriers.ts";

export function describeSources({ carriersFile, aisFile }: FilesOf<typeof OCEAN_FILES>): SourcesOfProduct {
  const { feed = null } = aisFile ?? {};
  return {
    sources: [
      ...(carriersFile?.entries ?? []).map(carrierSource),
      {
        id: "vessels",
        kind: "vessel_reports",
        title: feed?.name ?? "Vessel reports",
        queues: [],
        channels: [
          ...(feed === null ? [] : [polled(aisUpstreamOf(feed), "AIS feed", feed.quota)]),
          pushed(POSITIONS, "Positions pushed to POST /v1/vessels/positions"),
        ],
      },
      {
        id: "imported-milestones",
        kind: "carrier",
        title: "Imported milestones",
        queues: [],
        channels: [pushed(MILESTONES_IMPORTED, "Milestones pushed to POST /v1/tracking/milestones")],
      },
    ],
  };
}

function carrierSource({ scac, name, quota, portCalls, callbackSecrets }: Carrier): SourceDescription {
  return {
    id: idOf("carrier", scac),
    kind: "carrier",
    // The name last: whatever characters it has, they change nothing behind it.
    title: `${scac} · ${name}`,
    queues: [scac],
    channels: [
      polled(upstreamOf(scac), "Track & Trace", quota),
      ...(portCalls === undefined ? [] : [polled(portCallsOf(scac), "Port calls", portCalls.quota)]),
      ...(callbackSecrets === undefined ? [] : [pushed(callbacksOf(scac), "Callbacks")]),
    ],
  };
}
