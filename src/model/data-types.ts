/** Shapes that the data of several event types share (spec 2.3, 2.4). */
import Type, { type TProperties, type TSchema } from "typebox";

/** (spec 2.3: utc) */
export const UtcDateTime = Type.String({
  format: "date-time",
  pattern: "Z$",
  description: "a UTC instant in ISO 8601 that ends in Z, such as 2026-01-31T08:00:00Z",
});

export const CalendarDate = Type.String({
  format: "date",
  description: "a calendar date, such as 2026-01-31",
});

export const UnLocode = Type.String({
  pattern: "^[A-Z]{2}[A-Z2-9]{3}$",
  description: "a UN/LOCODE: five characters, such as NLRTM",
});

export function nullable<Schema extends TSchema>(
  schema: Schema,
  options: { readonly description?: string } = {},
) {
  return Type.Union([schema, Type.Null()], options);
}

/** An object that may hold more than it names (spec 2.4: additional_properties). */
export function openObject<Properties extends TProperties>(title: string, properties: Properties) {
  return Type.Object(properties, { additionalProperties: true, title });
}

export const AnyObject = openObject("AnyObject", {});

/** When a shipment event happened, in UTC and as the wall clock there showed it (spec 2.3). */
export const shipmentEventTimes = {
  event_date_time: Type.Optional(UtcDateTime),
  event_local_datetime: Type.Optional(
    Type.String({
      pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?$",
      description: "a local wall-clock time without offset, for display only, such as 2026-01-31T16:00:00",
    }),
  ),
  utc_offset_minutes: Type.Optional(
    Type.Integer({ description: "minutes to add to UTC; absent when no zone was reported" }),
  ),
  event_timezone: Type.Optional(
    Type.String({
      description: "an IANA time zone, such as Asia/Shanghai; absent when no zone was reported",
    }),
  ),
};
