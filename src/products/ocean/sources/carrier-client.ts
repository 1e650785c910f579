/** The client of all carriers: one a process, so that every poll counts against a carrier's quota. */
import { createHash } from "node:crypto";

import type { Clock } from "../../../runtime/clock.ts";
import { createUpstream, type Upstream, type UpstreamPorts } from "../../../freight/upstream/upstream.ts";
import type { CarrierAnswer, CarrierEvent } from "./carrier-event.ts";
import { billForms, billPrefixes, type Carrier } from "./carriers.ts";
import { fetchEvents } from "./dcsa/fetch.ts";
import { createPortCallClient, type PortCallClient } from "./dcsa/port-call-client.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";

export type CarrierClient = ReturnType<typeof createCarrierClient>;

type CarrierApis = { readonly upstream: Upstream; readonly portCalls: PortCallClient | null };

export function createCarrierClient({
  carriers,
  ...ports
}: UpstreamPorts & { readonly carriers: readonly Carrier[] }) {
  const apis = new Map(carriers.map((carrier) => [carrier.scac, apisOf(carrier, ports)]));
  const prefixes = billPrefixes(carriers);
  /** SCACs of carriers that last knew a bill of lading in its other form: that one is asked first. */
  const knowOtherForm = new Set<string>();
  return {
    /**
     * Fetches all that a configured carrier knows of a reference, in each form that it may have there. Never rejects.
     * An answer with the digest `known` is not parsed again.
     */
    async fetch(
      carrier: Carrier,
      type: IdentifierType,
      reference: string,
      known: Buffer | null = null,
    ): Promise<CarrierAnswer> {
      const { scac } = carrier;
      const api = apis.get(scac);
      if (api === undefined) throw new Error(`carrier ${scac} has no client`);
      const forms = type === "bill_of_lading" ? billForms(carrier, reference, prefixes) : [reference];
      for (const form of knowOtherForm.has(scac) ? forms.toReversed() : forms) {
        const answer = await fetchForm(api, carrier, type, form, ports.clock, known);
        if (answer.kind === "not_found") continue;
        if (forms.length > 1 && "digest" in answer) {
          if (form === reference) knowOtherForm.delete(scac);
          else knowOtherForm.add(scac);
        }
        return answer;
      }
      return { kind: "not_found" };
    },
    /** A fetch would be answered with `breaker_open`. */
    isBreakerOpen: (scac: string): boolean => apis.get(scac)?.upstream.isBreakerOpen() ?? false,
  };
}

/** The Port Call API is its own upstream, so that its outage does not affect Track & Trace. */
function apisOf(carrier: Carrier, ports: UpstreamPorts): CarrierApis {
  const name = `ocean ${carrier.scac}`;
  const upstream = createUpstream(name, carrier, ports);
  if (carrier.portCalls === undefined) return { upstream, portCalls: null };
  const { quota } = carrier.portCalls;
  const portCallUpstream = createUpstream(`${name} port calls`, { quota, oauth: carrier.oauth }, ports);
  return { upstream, portCalls: createPortCallClient(portCallUpstream.get, carrier, ports.clock) };
}

async function fetchForm(
  { upstream, portCalls }: CarrierApis,
  carrier: Carrier,
  type: IdentifierType,
  reference: string,
  clock: Clock,
  known: Buffer | null,
): Promise<CarrierAnswer> {
  if (portCalls === null) return fetchEvents(upstream.get, carrier, type, reference, clock, known);
  const answer = await fetchEvents(upstream.get, carrier, type, reference, clock);
  if (answer.kind !== "events") return answer;
  const nowMs = carrier.asOf === "answer-date" ? (answer.dateMs ?? clock.nowMs()) : clock.nowMs();
  return withPortCalls(answer, await portCalls.portCallsFor(answer.events, nowMs), known);
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
