/** What the events of sailing schedules carry (docs/schedules.md). */
import Type from "typebox";

import {
  CalendarDate,
  shipmentEventTimes,
  nullable,
  openObject,
  UnLocode,
  UtcDateTime,
} from "../../model/data-types.ts";

const text = (description: string) => nullable(Type.String({ description }));

const Carrier = Type.String({ pattern: "^[A-Z]{2,4}$", description: "the carrier's SCAC" });
const Service = Type.String({ description: "the service's code, else its name; empty when it is not known" });

/** Whose sailing. */
const voyage = {
  carrier: Carrier,
  service: Service,
  service_name: Type.Optional(text("the service's name")),
  universal_service_reference: Type.Optional(text("the universal service reference, such as SR12345A")),
  voyage: Type.String({
    description:
      "the number of the voyage on which the vessel leaves, else on which it came; empty when not known",
  }),
  import_voyage: Type.Optional(text("the number of the voyage on which the vessel comes to the port")),
  export_voyage: Type.Optional(text("the number of the voyage on which it leaves the port")),
  vessel_name: Type.Optional(text("the vessel's name")),
  vessel_imo: Type.Optional(text("the vessel's IMO number")),
};

const port = {
  port: UnLocode,
  port_name: Type.Optional(text("the port's name")),
  terminal: Type.Optional(text("the terminal's SMDG code")),
  transport_call_reference: Type.Optional(text("how the carrier refers to the call")),
};

const reason = {
  delay_reason: Type.Optional(text("the carrier's code for why (SMDG delay reason)")),
  remark: Type.Optional(text("the carrier's remark")),
};

const ListedCall = openObject("ListedCall", {
  port: UnLocode,
  port_name: Type.Optional(text("the port's name")),
  terminal: Type.Optional(text("the terminal's SMDG code")),
  arrival: nullable(UtcDateTime),
  departure: nullable(UtcDateTime),
});

export const BlankSailingData = openObject("BlankSailingData", {
  kind: Type.Enum(["voyage", "port_call"], {
    description: "whether the whole voyage is not made, or one call of it",
  }),
  reason: nullable(
    Type.Enum(["blanked", "slid", "omitted", "missing"], {
      description: "by the carrier's status code, or missing from a complete answer of the carrier",
    }),
  ),
  status_code: nullable(Type.Enum(["BLNK", "SLID", "OMIT"], { description: "the carrier's own code" })),
  ...voyage,
  ...{ ...port, port: Type.Optional(UnLocode) },
  port_calls: Type.Array(ListedCall, {
    description: "the calls that are not made, in their order, as they were last expected",
  }),
  ...reason,
  ...shipmentEventTimes,
});

export const SailingSlippedData = openObject("SailingSlippedData", {
  ...voyage,
  ...port,
  old_departure: UtcDateTime,
  new_departure: UtcDateTime,
  delta_hours: Type.Number({ description: "signed; positive means later" }),
  ...reason,
  ...shipmentEventTimes,
});

export const CutOffApproachingData = openObject("CutOffApproachingData", {
  ...voyage,
  ...port,
  cut_off_code: Type.String({ description: "cutOffDateTimeCode of DCSA, such as DCO, VCO, FCO" }),
  cut_off_name: Type.Optional(text("what the code means")),
  cut_off: UtcDateTime,
  hours_before: Type.Number({ description: "the warning that this is: so many hours before the cut-off" }),
  hours_left: Type.Number({ description: "from when the event was raised until the cut-off" }),
  departure: Type.Optional(nullable(UtcDateTime)),
  ...shipmentEventTimes,
});

export const ReliabilityDropData = openObject("ReliabilityDropData", {
  carrier: Carrier,
  service: Service,
  day: CalendarDate,
  on_time_percent: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "of the calls of the window that could be measured",
  }),
  previous_percent: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "the highest since the last fall that was told of",
  }),
  drop_points: Type.Number({ description: "percentage points from the one to the other" }),
  window_days: Type.Integer({ description: "days of arrivals, the last of them day" }),
  calls: Type.Integer({ description: "calls that could be measured" }),
  calls_on_time: Type.Integer({ description: "those that came within a day of when they were expected" }),
});
