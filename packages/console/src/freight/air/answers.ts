/** The routes of air cargo, and what they answer. */
import type { Air } from "@boathook/client";

export type { Air };
type Schemas = Air["schemas"];
export type Waybill = Schemas["WaybillSummary"];
export type Stop = Schemas["FlightOfWaybill"];
export type WaybillDetail = Schemas["WaybillDetail"];
export type FlightTimes = Schemas["FlightTimes"];
export type Leg = Schemas["WaybillLeg"];
export type DetailedEvent = Schemas["WaybillEventDetail"];
export type Source = Schemas["WaybillSource"];
