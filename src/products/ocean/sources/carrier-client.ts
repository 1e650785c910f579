/** The client of all carriers: one a process, so that every poll counts against a carrier's quota. */
import { createHash } from "node:crypto";

import { createUpstream, type Upstream, type UpstreamPorts } from "../../../freight/upstream/upstream.ts";
import type { CarrierAnswer, CarrierEvent } from "./carrier-event.ts";
import type { Carrier } from "./carriers.ts";
import { fetchEvents } from "./dcsa/fetch.ts";
import { createPortCallClient, type PortCallClient } from "./dcsa/port-call-client.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";

export type CarrierClient = ReturnType<typeof createCarrierClient>;

type CarrierApis = { readonly upstream: Upstream; readonly portCalls: PortCallClient | null };

export function createCarrierClient({
  carriers,
  ...ports
}: UpstreamPorts & { readonly carriers: readonly Carrier[] }) {
  const { clock } = ports;
  const apis = new Map(carriers.map((carrier) => [carrier.scac, apisOf(carrier, ports)]));
  return {
    /**
     * Fetches all that a configured carrier knows of a reference. Never rejects. An answer with the digest
     * `known` is not parsed again.
     */
    async fetch(
      carrier: Carrier,
      type: IdentifierType,
      reference: string,
      known: Buffer | null = null,
    ): Promise<CarrierAnswer> {
      const api = apis.get(carrier.scac);
      if (api === undefined) throw new Error(`carrier ${carrier.scac} has no client`);
      const { upstream, portCalls } = api;
      if (portCalls === null) return fetchEvents(upstream.get, carrier, type, reference, clock, known);
      const answer = await fetchEvents(upstream.get, carrier, type, reference, clock);
      if (answer.kind !== "events") return answer;
      const nowMs = carrier.asOf === "answer-date" ? (answer.dateMs ?? clock.nowMs()) : clock.nowMs();
      return withPortCalls(answer, await portCalls.portCallsFor(answer.events, nowMs), known);
    },
    /** A fetch would be answered with `breaker_open`. */
    isBreakerOpen: (scac: string): boolean => apis.get(scac)?.upstream.isBreakerOpen() ?? false,
  };
}

/** The Port Call API is its own upstream, so that its outage does not affect Track & Trace. */
function apisOf(carrier: Carrier, ports: UpstreamPorts): CarrierApis {
  const upstream = createUpstream(carrier, ports);
  if (carrier.portCalls === undefined) return { upstream, portCalls: null };
  const portCallUpstream = createUpstream({ quota: carrier.portCalls.quota, oauth: carrier.oauth }, ports);
  return { upstream, portCalls: createPortCallClient(portCallUpstream.get, carrier, ports.clock) };
}

type Events = Extract<CarrierAnswer, { kind: "events" }>;

function withPortCalls(
  answer: Events,
  portCalls: readonly CarrierEvent[],
  known: Buffer | null,
): CarrierAnswer {
  const digest = createHash("sha256").update(answer.digest).update(JSON.stringify(portCalls)).digest();
  if (known !== null && digest.equals(known)) return { kind: "unchanged", digest, dateMs: answer.dateMs };
  return { ...answer, events: [...answer.events, ...portCalls], digest };
}
