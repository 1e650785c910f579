/** What one carrier's entry in the carriers file may say (docs/carriers.md). */
import { Type, type Static } from "typebox";

import {
  HeadersSchema,
  ParametersSchema,
  QuotaSchema,
  upstreamFields,
} from "../../../freight/upstream/upstream-schema.ts";

const Address = Type.String({
  pattern: "^https?://[^\\s?#@]+$",
  form: "a URL that begins with https:// or http://, without user, query and fragment",
  maxLength: 1024,
});

const Spellings = <const Value extends string>(...values: readonly Value[]) =>
  Type.Optional(Type.Record(Type.String(), Type.Union(values.map((value) => Type.Literal(value)))));

const SpellingSchema = Type.Object(
  {
    envelopes: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
    fields: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String(), { maxItems: 20 }))),
    classifiers: Spellings("actual", "estimated", "planned"),
    modes: Spellings("vessel", "rail", "truck", "barge"),
    emptiness: Spellings("laden", "empty"),
  },
  { additionalProperties: false, description: "Spellings of its own; see `dcsa/spelling.ts`." },
);

export const CarrierSchema = Type.Object(
  {
    scac: Type.String({
      pattern: "^[A-Z]{2,4}$",
      form: "two to four capital letters",
      description: "Standard Carrier Alpha Code",
    }),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    api: Type.Union([Type.Literal("dcsa-tnt-2.2"), Type.Literal("dcsa-tnt-3.0")]),
    baseUrl: Type.Unsafe<string>({ ...Address, description: "What stands before `/events`." }),
    ...upstreamFields,
    parameters: Type.Optional(
      Type.Unsafe<Static<typeof ParametersSchema>>({
        ...ParametersSchema,
        description: "More query parameters of every request; an empty one takes away a default.",
      }),
    ),
    requestsMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: "Requests open at once, a node." }),
    ),
    callbackSecrets: Type.Optional(
      Type.Array(
        Type.String({ pattern: "^[A-Za-z0-9+/]{22,1366}={0,2}$", form: "base64 of 16 bytes or more" }),
        {
          minItems: 1,
          maxItems: 4,
          description:
            "Base64, 16 bytes or more: what its callbacks are signed with. Several while one replaces another.",
        },
      ),
    ),
    portCalls: Type.Optional(
      Type.Object(
        {
          baseUrl: Address,
          headers: Type.Optional(HeadersSchema),
          quota: Type.Optional(QuotaSchema),
        },
        { additionalProperties: false, description: "Its Port Call 2.0, where it serves one." },
      ),
    ),
    billPrefixes: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z]{4}$", form: "four capital letters" }), {
        description: "How its bills of lading begin, beside its SCAC.",
      }),
    ),
    ownerCodes: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z]{3}[UJZ]$", form: "three capital letters and U, J or Z" }), {
        description: "How the numbers of its own containers begin.",
      }),
    ),
    asOf: Type.Optional(
      Type.Union([Type.Literal("now"), Type.Literal("answer-date")], {
        description: "Whose clock estimates are judged by: `answer-date` for a carrier that is replayed.",
      }),
    ),
    spelling: Type.Optional(SpellingSchema),
  },
  { additionalProperties: false },
);

export type Carrier = Static<typeof CarrierSchema>;
