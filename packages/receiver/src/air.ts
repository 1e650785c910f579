import type { Additional, ShipmentEventTimes } from "./shape.ts";

/** The data of the air product's events (spec 6.2 and 6.4). */
export type AirEvents = {
  readonly awb_accepted: AirWaybillData;
  readonly awb_in_transit: AirWaybillData;
  readonly awb_arrived: AirWaybillData;
  readonly awb_available: AirWaybillData;
  readonly awb_delivered: AirWaybillData;
  /** Reserved: never sent yet. */
  readonly awb_departed: AirWaybillData;
};

export type AirWaybillData = Additional &
  ShipmentEventTimes & {
    /** The air waybill. */
    readonly awb: string;
    readonly airline_iata?: string | null;
    /** Lower case, for example `delivered`. */
    readonly status: string;
    readonly origin?: string | null;
    readonly destination?: string | null;
  };
