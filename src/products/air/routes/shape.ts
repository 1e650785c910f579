/** A waybill as the API's document describes it (spec 2.6). */
import Type from "typebox";

import { STATUS_NAMES } from "../tracking/waybill-view.ts";
import { nullable, UtcDateTime } from "../../../model/data-types.ts";

export const AwbPath = Type.Object({
  awb: Type.String({
    description: "eleven digits in any formatting, such as 176-12345675; the first three name the airline",
  }),
});

const Airport = nullable(Type.String({ description: "an airport's IATA code" }));

const WaybillEvent = Type.Object(
  {
    code: Type.String({ description: "Cargo-IMP's: BKD, RCS, DEP, ARR, RCF, NFD, DLV, DIS …" }),
    name: Type.String({ description: "what people call it" }),
    station: Airport,
    at: nullable(UtcDateTime),
  },
  { title: "WaybillEvent" },
);

export const WaybillSchema = Type.Object(
  {
    awb: Type.String({ pattern: "^[0-9]{11}$" }),
    airline_iata: nullable(Type.String({ description: "the airline's IATA code" })),
    airline_name: nullable(Type.String()),
    status: Type.Enum([...STATUS_NAMES], { description: "Pending until the airline was looked at" }),
    origin: Airport,
    destination: Airport,
    pieces: nullable(Type.Integer()),
    weight_kg: nullable(Type.Number()),
    flight_number: nullable(
      Type.String({
        description: "of the flight that carries or carried it last; before, of the one booked",
      }),
    ),
    eta: nullable(UtcDateTime),
    eta_is_actual: Type.Boolean({ description: "the eta is when it arrived" }),
    events: Type.Array(WaybillEvent, { description: "in the order of time" }),
  },
  { title: "Waybill", description: "What is not known yet is null." },
);
