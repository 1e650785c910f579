/** The data of the events of sailing schedules (docs/schedules.md). */
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
const Service = Type.String({ description: "the service's code, else its name; empty: unknown" });

export const voyageFields = {
  carrier: Carrier,
  service: Service,
  service_name: Type.Optional(text("the service's name")),
  universal_service_reference: Type.Optional(text("the universal service reference, such as SR12345A")),
  voyage: Type.String({
    description: "the number of the voyage on which the vessel leaves, else on which it came; empty: unknown",
  }),
  import_voyage: Type.Optional(text("the number of the voyage on which the vessel comes to the port")),
  export_voyage: Type.Optional(text("the number of the voyage on which it leaves the port")),
  vessel_name: Type.Optional(text("the vessel's name")),
  vessel_imo: Type.Optional(text("the vessel's IMO number")),
};

export const portFields = {
  port: UnLocode,
  port_name: Type.Optional(text("the port's name")),
  terminal: Type.Optional(text("the terminal's SMDG code")),
  transport_call_reference: Type.Optional(text("how the carrier refers to the call")),
};

export const reasonFields = {
  delay_reason: Type.Optional(text("the carrier's reason (SMDG delay reason code)")),
  remark: Type.Optional(text("the carrier's remark")),
};

const ListedCall = openObject("ListedCall", {
  port: portFields.port,
  port_name: portFields.port_name,
  terminal: portFields.terminal,
  arrival: nullable(UtcDateTime),
  departure: nullable(UtcDateTime),
});

export const BlankSailingData = openObject("BlankSailingData", {
  kind: Type.Enum(["voyage", "port_call"], {
    description: "whether the whole voyage is cancelled, or one of its calls",
  }),
  reason: nullable(
    Type.Enum(["blanked", "slid", "omitted", "missing"], {
      description: "the carrier's status code, or missing: a complete answer of the carrier leaves it out",
    }),
  ),
  status_code: nullable(Type.Enum(["BLNK", "SLID", "OMIT"], { description: "the carrier's own code" })),
  ...voyageFields,
  ...portFields,
  port: Type.Optional(UnLocode),
  port_calls: Type.Array(ListedCall, {
    description: "the cancelled calls in their order, with the last expected times",
  }),
  ...reasonFields,
  ...shipmentEventTimes,
});

export const SailingSlippedData = openObject("SailingSlippedData", {
  ...voyageFields,
  ...portFields,
  old_departure: UtcDateTime,
  new_departure: UtcDateTime,
  delta_hours: Type.Number({ description: "signed; positive means later" }),
  ...reasonFields,
  ...shipmentEventTimes,
});

export const CutOffApproachingData = openObject("CutOffApproachingData", {
  ...voyageFields,
  ...portFields,
  cut_off_code: Type.String({ description: "cutOffDateTimeCode of DCSA, such as DCO, VCO, FCO" }),
  cut_off_name: Type.Optional(text("what the code means")),
  cut_off: UtcDateTime,
  hours_before: Type.Number({ description: "which of your warnings this is, in hours before the cut-off" }),
  hours_left: Type.Number({ description: "from the event until the cut-off" }),
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
    description: "of the measured calls of the window",
  }),
  previous_percent: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "the highest since the last event",
  }),
  drop_points: Type.Number({ description: "percentage points from previous_percent to on_time_percent" }),
  window_days: Type.Integer({ description: "days of arrivals, ending with day" }),
  calls: Type.Integer({ description: "measured calls" }),
  calls_on_time: Type.Integer({ description: "calls that arrived within a day of the expected time" }),
});
