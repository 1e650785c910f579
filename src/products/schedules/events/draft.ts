/** What the families of events make: an event of the record before it is broadcast. */
import { serviceOf, voyageOf, type CallRecord, type CallTold } from "../calls/call-record.ts";
import { HOUR_MS } from "../calls/nearness.ts";

export type Draft = {
  readonly type: string;
  readonly data: object;
  /** What makes it this one and no other. */
  readonly key: string;
};

/** What a family has to tell of a call, and what has been told of it once it has. */
export type CallTelling = { readonly drafts: readonly Draft[]; readonly told: CallTold };

/** Whose call, on which voyage. */
export function voyageNames(record: CallRecord): object {
  const { carrier, service, vessel, voyage } = record;
  return {
    carrier,
    service: serviceOf(record),
    service_name: service.name,
    universal_service_reference: service.universal,
    voyage: voyageOf(record),
    import_voyage: voyage.import,
    export_voyage: voyage.export,
    vessel_name: vessel.name,
    vessel_imo: vessel.imo,
  };
}

/** Where. */
export function portNames({ port, portName, terminal, reference }: CallRecord): object {
  return { port, port_name: portName, terminal, transport_call_reference: reference };
}

/** Why, in the carrier's words. */
export function reasonNames({ delayReason, remark }: CallRecord): object {
  return { delay_reason: delayReason, remark };
}

/** Hours, to the hundredth. */
export function hoursOf(ms: number): number {
  return Math.round((ms / HOUR_MS) * 100) / 100;
}
