/** The desk where carriers are asked: one for the whole process, so that their quotas hold for all who ask. */
import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";
import type { HttpPort } from "../upstream/http.ts";
import type { CarrierAnswer } from "./carrier-answer.ts";
import type { Carrier } from "./carriers.ts";
import { fetchEvents } from "./dcsa/fetch.ts";
import type { IdentifierType } from "./reference.ts";

export type DeskPorts = {
  readonly carriers: readonly Carrier[];
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
};

export type CarrierDesk = {
  /**
   * Asks for all that the carrier knows of a reference. Never rejects. `known` is the digest of the
   * answer that was read last: where it is the same again, nothing is parsed.
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

export function createCarrierDesk({ http, clock }: DeskPorts): CarrierDesk {
  return {
    ask: (carrier, type, reference, known = null) =>
      fetchEvents(http, carrier, type, reference, clock, known),
    isOpen: () => false,
  };
}
