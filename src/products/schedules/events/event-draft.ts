/** An event before it is broadcast, and the fields that several events share. */
import { HOUR_MS } from "../../../runtime/durations.ts";
import { serviceOf, voyageOf, type CallRecord, type CallRaised } from "../calls/call-record.ts";

export type EventDraft = {
  readonly type: string;
  readonly data: object;
  /** Each event is broadcast once by its key. */
  readonly key: string;
};

/** A call's events of one type, and what the call has raised with them. */
export type CallDrafts = { readonly drafts: readonly EventDraft[]; readonly raised: CallRaised };

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

export function portFields({ port, portName, terminal, reference }: CallRecord): object {
  return { port, port_name: portName, terminal, transport_call_reference: reference };
}

export function reasonFields({ delayReason, remark }: CallRecord): object {
  return { delay_reason: delayReason, remark };
}

/** Hours, to the hundredth. */
export function hoursOf(ms: number): number {
  return Math.round((ms / HOUR_MS) * 100) / 100;
}
