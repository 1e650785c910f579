/** One airline's entry in the airlines file (docs/airlines.md). */
import { asOfField } from "../../../../freight/sources/as-of.ts";
import { Type, type Static } from "typebox";

import { upstreamFields } from "../../../../freight/upstream/upstream-schema.ts";

/** An address with `{awb}`, `{prefix}` and `{serial}` where the waybill's number goes. */
const AddressTemplate = Type.String({
  pattern: "^https?://[^\\s#@]+$",
  form: "a URL that begins with https:// or http://, without user and fragment",
  maxLength: 1024,
});

const FsrSchema = Type.Object(
  {
    kind: Type.Literal("fsr"),
    url: Type.Unsafe<string>({ ...AddressTemplate, description: "Where status requests go." }),
    method: Type.Optional(Type.Union([Type.Literal("POST"), Type.Literal("GET")])),
    message: Type.Optional(
      Type.String({ minLength: 1, maxLength: 8192, description: "What is sent by POST." }),
    ),
    contentType: Type.Optional(
      Type.String({ pattern: "^[\\x20-\\x7e]+$", form: "printable ASCII", maxLength: 200 }),
    ),
    answer: Type.Optional(
      Type.Object(
        {
          format: Type.Union([Type.Literal("json"), Type.Literal("xml")]),
          at: Type.String({ minLength: 1, maxLength: 200, description: "Where in it the messages are." }),
        },
        { additionalProperties: false },
      ),
    ),
    ...upstreamFields,
  },
  {
    additionalProperties: false,
    description: "Cargo-IMP over HTTP: a status request (FSR), answered by FSA.",
  },
);

const OneRecordSchema = Type.Object(
  {
    kind: Type.Literal("one-record"),
    objectUrl: Type.Unsafe<string>({
      ...AddressTemplate,
      description: "The logistics object of a waybill, or of its shipment.",
    }),
    ...upstreamFields,
  },
  { additionalProperties: false, description: "IATA's ONE Record." },
);

const Pointer = Type.String({
  pattern: "^(?:/[^/]+)+$",
  form: "a JSON Pointer such as /data/events",
  maxLength: 200,
});
/** Several are joined: a date and a time, a carrier and a number. */
const Pointers = Type.Optional(Type.Union([Pointer, Type.Array(Pointer, { minItems: 1, maxItems: 3 })]));

const EventMapping = Type.Object(
  {
    code: Type.Union([Pointer, Type.Array(Pointer, { minItems: 1, maxItems: 3 })]),
    codes: Type.Optional(
      Type.Record(
        Type.String({ maxLength: 200 }),
        Type.String({ pattern: "^(?:[A-Z]{3})?$", form: "a status of Cargo-IMP, or nothing" }),
        {
          maxProperties: 200,
          description: "Words of the API to statuses; to nothing where an event is none.",
        },
      ),
    ),
    ...{ station: Pointers, time: Pointers, zone: Pointers, timeIs: Pointers },
    // Without a `time`, or where `isPlanned` is true, it has not happened.
    ...{ planned: Pointers, isPlanned: Pointers },
    ...{ flight: Pointers, from: Pointers, to: Pointers, departure: Pointers, arrival: Pointers },
    ...{ pieces: Pointers, weight: Pointers, part: Pointers, party: Pointers, discrepancy: Pointers },
    times: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
        minItems: 1,
        maxItems: 5,
        description:
          "The forms of its times, where they are not ISO 8601: `dd-MMM-yyyy HH:mm`, `epoch-seconds`.",
      }),
    ),
    weightUnit: Type.Optional(Type.Union([Type.Literal("KGM"), Type.Literal("LBR")])),
  },
  { additionalProperties: false, description: "What an event's values are, from the event on." },
);

/** Some APIs refuse under 200. */
const OutcomeMapping = Type.Object(
  {
    at: Pointer,
    words: Type.Record(
      Type.String({ maxLength: 200 }),
      Type.Union([Type.Literal("not_found"), Type.Literal("not_permitted"), Type.Literal("unavailable")]),
      { minProperties: 1, maxProperties: 50 },
    ),
  },
  { additionalProperties: false, description: "Words of an answer that refuses." },
);

const MappedSchema = Type.Object(
  {
    kind: Type.Literal("mapped"),
    url: Type.Unsafe<string>({ ...AddressTemplate, description: "Where the waybill is asked for." }),
    message: Type.Optional(
      Type.String({ minLength: 1, maxLength: 8192, description: "What is sent by POST; without it, GET." }),
    ),
    contentType: Type.Optional(
      Type.String({ pattern: "^[\\x20-\\x7e]+$", form: "printable ASCII", maxLength: 200 }),
    ),
    answer: Type.Object(
      {
        format: Type.Union([Type.Literal("json"), Type.Literal("xml")]),
        waybill: Type.Object(
          {
            at: Type.Optional(Pointer),
            ...{ awb: Pointers, origin: Pointers, destination: Pointers, pieces: Pointers, weight: Pointers },
          },
          { additionalProperties: false, description: "Where the waybill is, and its values from there on." },
        ),
        outcomes: Type.Optional(OutcomeMapping),
        events: Pointer,
        event: EventMapping,
      },
      { additionalProperties: false },
    ),
    ...upstreamFields,
  },
  { additionalProperties: false, description: "An airline's own API, described by where its values are." },
);

const PushSchema = Type.Object(
  { kind: Type.Literal("push") },
  { additionalProperties: false, description: "The airline pushes messages to the operator's listener." },
);

/** One schema for each kind of source, so that a problem names the fields of that kind. */
export const SOURCE_SCHEMAS = {
  fsr: FsrSchema,
  "one-record": OneRecordSchema,
  mapped: MappedSchema,
  push: PushSchema,
} as const;

export type FsrSource = Static<typeof FsrSchema>;
export type OneRecordSource = Static<typeof OneRecordSchema>;
export type MappedSource = Static<typeof MappedSchema>;
export type AnswerMapping = Static<typeof EventMapping>;
/** All but pushed messages. */
export type PolledSource = FsrSource | OneRecordSource | MappedSource;
export type AirlineSource = PolledSource | Static<typeof PushSchema>;

/** An entry; its sources are checked by {@link SOURCE_SCHEMAS}. */
export const AirlineSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    iata: Type.String({ pattern: "^[A-Z0-9]{2}$", form: "two capital letters or digits" }),
    prefixes: Type.Array(Type.String({ pattern: "^[0-9]{3}$", form: "three digits" }), {
      minItems: 1,
      maxItems: 20,
    }),
    sources: Type.Array(Type.Object({ kind: Type.Enum(Object.keys(SOURCE_SCHEMAS)) }), {
      minItems: 1,
      maxItems: 5,
    }),
    requestsMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: "Requests open at once, a node." }),
    ),
    asOf: asOfField("Whose clock the years of its messages are inferred by."),
  },
  { additionalProperties: false },
);

export type Airline = Omit<Static<typeof AirlineSchema>, "sources"> & {
  readonly sources: readonly AirlineSource[];
};
