/** Air cargo's sources: airlines that are polled, and messages that they push. */
import {
  idOf,
  polled,
  pushed,
  type SourceDescription,
  type SourcesOfProduct,
} from "../../freight/sources/description.ts";
import type { FilesOf } from "../manifest.ts";
import { sourceQueueOf } from "./air-product.ts";
import { MESSAGES_PUSHED } from "./operator/messages.ts";
import type { AIR_FILES } from "./settings.ts";
import { upstreamOf } from "./sources/airline-client.ts";
import type { Airline } from "./sources/airlines/airline-schema.ts";

const PUSHES = pushed(MESSAGES_PUSHED, "Messages pushed to POST /v1/air/messages, of all airlines");

export function describeSources({ airlinesFile }: FilesOf<typeof AIR_FILES>): SourcesOfProduct {
  return {
    sources: [
      ...(airlinesFile?.entries ?? []).map(airlineSource),
      { id: "air-messages", kind: "airline", title: "Pushed messages", queues: [], channels: [PUSHES] },
    ],
  };
}

const TITLES = {
  fsr: "Status requests (FSR)",
  "one-record": "ONE Record",
  mapped: "The airline's own API",
} as const;

function airlineSource({ iata, name, prefixes, sources }: Airline): SourceDescription {
  return {
    id: idOf("airline", iata, prefixes[0] ?? ""),
    kind: "airline",
    // As a carrier's.
    title: `${prefixes.join(", ")} · ${name}`,
    queues: prefixes.map(sourceQueueOf),
    channels: sources.map((source, place) =>
      source.kind === "push"
        ? PUSHES
        : polled(upstreamOf(iata, source, place), TITLES[source.kind], source.quota),
    ),
  };
}
