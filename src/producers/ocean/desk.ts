/** The desk where carriers are asked: one for the whole process, so that their quotas hold for all who ask. */
import { createUpstream, type UpstreamPorts } from "../upstream/upstream.ts";
import type { CarrierAnswer } from "./carrier-answer.ts";
import type { Carrier } from "./carriers.ts";
import { fetchEvents } from "./dcsa/fetch.ts";
import type { IdentifierType } from "./reference.ts";

export type DeskPorts = UpstreamPorts & { readonly carriers: readonly Carrier[] };

export type CarrierDesk = {
  /**
   * Asks for all that a carrier, one of the desk's, knows of a reference. Never rejects. `known` is the
   * digest of the answer that was read last: where it is the same again, nothing is parsed.
   */
  ask(
    carrier: Carrier,
    type: IdentifierType,
    reference: string,
    known?: Buffer | null,
  ): Promise<CarrierAnswer>;
  /** Whether the carrier's breaker is open: asking would be answered with `breaker_open`. */
  isOpen(scac: string): boolean;
};

export function createCarrierDesk({ carriers, ...ports }: DeskPorts): CarrierDesk {
  const upstreams = new Map(carriers.map((carrier) => [carrier.scac, createUpstream(carrier, ports)]));
  return {
    async ask(carrier, type, reference, known = null) {
      const upstream = upstreams.get(carrier.scac);
      if (upstream === undefined) throw new Error(`carrier ${carrier.scac} is none of this desk's`);
      return fetchEvents(upstream.get, carrier, type, reference, ports.clock, known);
    },
    isOpen: (scac) => upstreams.get(scac)?.isOpen() ?? false,
  };
}
