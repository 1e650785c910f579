/** The client of all carriers: one a process, so that every poll counts against a carrier's quota. */
import { timeOfAnswer } from "../../../freight/sources/as-of.ts";
import { createHash } from "node:crypto";

import type { Clock } from "../../../runtime/clock.ts";
import {
  createUpstream,
  type Upstream,
  type UpstreamGet,
  type UpstreamPorts,
} from "../../../freight/upstream/upstream.ts";
import type { CarrierAnswer, CarrierEvent } from "./carrier-event.ts";
import { billForms, billPrefixes, type Carrier } from "./carriers.ts";
import { fetchEvents } from "./dcsa/fetch.ts";
import { wantsOthers, type Asked } from "./dcsa/question.ts";
import type { KnownReferences, ReadKnownReferences } from "./known-references.ts";
import { createPortCallClient, type PortCallClient } from "./dcsa/port-call-client.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";

export type CarrierClient = ReturnType<typeof createCarrierClient>;

/** Names of upstreams. */
export const upstreamOf = (scac: string): string => `ocean ${scac}`;
export const portCallsOf = (scac: string): string => `${upstreamOf(scac)} port calls`;

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
     * Fetches all that a configured carrier knows of a reference, in each form that it may have there.
     * An answer with the digest `known` is not parsed again. `isUnresolved`: no carrier has known the reference so far.
     * `account`: the id of the account whose shipment it is. `readOthers`: its other references, read where the question
     * wants some; rejects where they cannot be.
     */
    async fetch(
      carrier: Carrier,
      type: IdentifierType,
      reference: string,
      known: Buffer | null = null,
      isUnresolved = false,
      account?: string,
      readOthers?: ReadKnownReferences,
    ): Promise<CarrierAnswer> {
      const { scac } = carrier;
      const found = apis.get(scac);
      if (found === undefined) throw new Error(`carrier ${scac} has no client`);
      const { upstream, portCalls } = found;
      const about = { subject: reference, isUnresolved, ...(account === undefined ? {} : { account }) };
      const get: UpstreamGet = (url, options) => upstream.get(url, { ...options, ...about });
      const api = { get, portCalls };
      const others = wantsOthers(carrier, type) ? await readOthers?.() : undefined;
      const forms = type === "bill_of_lading" ? billForms(carrier, reference, prefixes) : [reference];
      for (const form of knowOtherForm.has(scac) ? forms.toReversed() : forms) {
        const question = { asked: { type, reference: form, account }, known, others };
        const answer = await fetchForm(api, carrier, question, ports.clock);
        if (answer.kind === "not_found") continue;
        const problems = problemsOf(answer);
        if (problems.length > 0) ports.onUpstreamSkipped?.(upstreamOf(scac), reference, problems);
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

/** For the operator: what of an answer could not be read, and that it was cut. */
function problemsOf(answer: CarrierAnswer): readonly string[] {
  if (answer.kind !== "events") return [];
  const reasons = answer.skipped.map(({ reason }) => reason);
  return answer.incomplete === true ? [...reasons, "answer cut: as full as it can be"] : reasons;
}

/** The Port Call API is its own upstream, so that its outage does not affect Track & Trace. */
function apisOf(carrier: Carrier, ports: UpstreamPorts): CarrierApis {
  const name = upstreamOf(carrier.scac);
  const upstream = createUpstream(name, carrier, ports);
  if (carrier.portCalls === undefined) return { upstream, portCalls: null };
  const { quota } = carrier.portCalls;
  const portCallUpstream = createUpstream(portCallsOf(carrier.scac), { quota, oauth: carrier.oauth }, ports);
  return { upstream, portCalls: createPortCallClient(portCallUpstream.get, carrier, ports.clock) };
}

type FormQuestion = {
  readonly asked: Asked;
  readonly known: Buffer | null;
  readonly others: KnownReferences | undefined;
};

async function fetchForm(
  { get, portCalls }: Pick<CarrierApis, "portCalls"> & { readonly get: UpstreamGet },
  carrier: Carrier,
  { asked, known, others }: FormQuestion,
  clock: Clock,
): Promise<CarrierAnswer> {
  if (portCalls === null) return fetchEvents(get, carrier, asked, clock, known, others);
  const answer = await fetchEvents(get, carrier, asked, clock, null, others);
  if (answer.kind !== "events") return answer;
  const nowMs = timeOfAnswer(carrier, answer, clock);
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
