/** The desk where carriers are asked: one for the whole process, so that their quotas hold for all who ask. */
import { createHash } from "node:crypto";

import { createUpstream, type Upstream, type UpstreamPorts } from "../../../freight/upstream/upstream.ts";
import type { CarrierAnswer } from "./carrier-answer.ts";
import type { CarrierEvent } from "./carrier-event.ts";
import type { Carrier } from "./carriers.ts";
import { fetchEvents } from "./dcsa/fetch.ts";
import { createPortCallClient, type PortCallClient } from "./dcsa/port-call-client.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";

export type CarrierClientPorts = UpstreamPorts & { readonly carriers: readonly Carrier[] };

export type CarrierClient = {
  /**
   * Asks for all that a carrier, one of the desk's, knows of a reference. Never rejects. `known` is the
   * digest of the answer that was read last: where it is the same again, nothing is parsed.
   */
  fetch(
    carrier: Carrier,
    type: IdentifierType,
    reference: string,
    known?: Buffer | null,
  ): Promise<CarrierAnswer>;
  /** Whether the carrier's breaker is open: asking would be answered with `breaker_open`. */
  isBreakerOpen(scac: string): boolean;
};

type CarrierApis = { readonly upstream: Upstream; readonly portCalls: PortCallClient | null };

export function createCarrierClient({ carriers, ...ports }: CarrierClientPorts): CarrierClient {
  const { clock } = ports;
  const counters = new Map(carriers.map((carrier) => [carrier.scac, apisOf(carrier, ports)]));
  return {
    async fetch(carrier, type, reference, known = null) {
      const counter = counters.get(carrier.scac);
      if (counter === undefined) throw new Error(`carrier ${carrier.scac} is none of this desk's`);
      const { upstream, portCalls } = counter;
      if (portCalls === null) return fetchEvents(upstream.get, carrier, type, reference, clock, known);
      const answer = await fetchEvents(upstream.get, carrier, type, reference, clock);
      if (answer.kind !== "events") return answer;
      const nowMs = carrier.asOf === "answer-date" ? (answer.dateMs ?? clock.nowMs()) : clock.nowMs();
      return withPortCalls(answer, await portCalls.portCallsFor(answer.events, nowMs), known);
    },
    isBreakerOpen: (scac) => counters.get(scac)?.upstream.isBreakerOpen() ?? false,
  };
}

/** The Port Call API is an upstream of its own, so that its outage is not that of Track & Trace. */
function apisOf(carrier: Carrier, ports: UpstreamPorts): CarrierApis {
  const upstream = createUpstream(carrier, ports);
  if (carrier.portCalls === undefined) return { upstream, portCalls: null };
  const beside = createUpstream({ quota: carrier.portCalls.quota, oauth: carrier.oauth }, ports);
  return { upstream, portCalls: createPortCallClient(beside.get, carrier, ports.clock) };
}

type Events = Extract<CarrierAnswer, { kind: "events" }>;

function withPortCalls(
  answer: Events,
  portCalls: readonly CarrierEvent[],
  known: Buffer | null,
): CarrierAnswer {
  const digest = createHash("sha256").update(answer.digest).update(JSON.stringify(portCalls)).digest();
  if (known !== null && digest.equals(known)) return { kind: "same", digest, dateMs: answer.dateMs };
  return { ...answer, events: [...answer.events, ...portCalls], digest };
}
