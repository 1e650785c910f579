/** What the families of events make: an event of the record before it is broadcast. */
import { serviceOf, voyageOf, type CallRecord, type CallRaised } from "../calls/call-record.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";

export type EventDraft = {
  readonly type: string;
  readonly data: object;
  /** What makes it this one and no other. */
  readonly key: string;
};

/** What a family has to tell of a call, and what has been told of it once it has. */
export type CallDrafts = { readonly drafts: readonly EventDraft[]; readonly raised: CallRaised };

/** Whose call, on which voyage. */
export function voyageFields(record: CallRecord): object {
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
export function portFields({ port, portName, terminal, reference }: CallRecord): object {
  return { port, port_name: portName, terminal, transport_call_reference: reference };
}

/** Why, in the carrier's words. */
export function reasonFields({ delayReason, remark }: CallRecord): object {
  return { delay_reason: delayReason, remark };
}

/** Hours, to the hundredth. */
export function hoursOf(ms: number): number {
  return Math.round((ms / HOUR_MS) * 100) / 100;
}
