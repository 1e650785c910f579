/** The carriers file: how a carrier's API is asked, and how its answers are paged and cut. */
import { Type, type Static } from "typebox";

import type { IdentifierType } from "../../../freight/references/reference.ts";
import {
  HeaderName,
  HeadersSchema,
  oauthField,
  ParametersSchema,
} from "../../../freight/upstream/upstream-schema.ts";

const Path = Type.String({
  pattern: "^(/[^\\s?#/]+)*/?$",
  form: "a path that begins with a slash, without query and fragment",
  maxLength: 512,
});
const ParameterName = Type.String({ minLength: 1, maxLength: 100 });

const TemplateSchema = Type.Object(
  { path: Type.Optional(Path), parameters: Type.Optional(ParametersSchema) },
  { additionalProperties: false },
);

const ReferenceSchema = Type.Union(
  [Type.Null(), TemplateSchema, Type.Array(TemplateSchema, { minItems: 1, maxItems: 4 })],
  {
    description:
      "How this kind of reference is asked for: null: the carrier does not know the kind; a list: the first " +
      "whose other references are known.",
  },
);

/** Ranges of time, by two query parameters: from (included) and to (excluded). */
const RangesSchema = Type.Object(
  {
    from: ParameterName,
    to: ParameterName,
    format: Type.Optional(Type.Union([Type.Literal("date-time"), Type.Literal("date")])),
    days: Type.Optional(Type.Integer({ minimum: 2, maximum: 1_000 })),
  },
  { additionalProperties: false },
);

const SplitSchema = Type.Object(
  {
    parameter: Type.Optional(ParameterName),
    values: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 2, maxItems: 20 }),
    ),
    ranges: Type.Optional(RangesSchema),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description:
      "How a cut answer is asked for in parts: by the values of a parameter, by ranges of time, or both.",
  },
);

export const QuestionSchema = Type.Object(
  {
    path: Type.Optional(Path),
    references: Type.Optional(
      Type.Object(
        {
          container_id: Type.Optional(ReferenceSchema),
          bill_of_lading: Type.Optional(ReferenceSchema),
          booking: Type.Optional(ReferenceSchema),
        },
        { additionalProperties: false },
      ),
    ),
    limit: Type.Optional(
      Type.Object(
        {
          max: Type.Integer({ minimum: 1, maximum: 50_000 }),
          parameter: Type.Optional(ParameterName),
        },
        { additionalProperties: false, description: "The most events that one page of an answer holds." },
      ),
    ),
    split: Type.Optional(SplitSchema),
  },
  { additionalProperties: false, description: "How a reference is asked for, where it is not DCSA's way." },
);

const JsonPointer = Type.String({ pattern: "^(/[^/]+)+$", form: "a JSON Pointer", maxLength: 200 });

export const PagingSchema = Type.Union(
  [
    Type.Object({ by: Type.Literal("none") }, { additionalProperties: false }),
    Type.Object({ by: Type.Literal("headers") }, { additionalProperties: false }),
    Type.Object(
      {
        by: Type.Literal("cursor"),
        parameter: Type.Optional(ParameterName),
        header: Type.Optional(HeaderName),
        body: Type.Optional(JsonPointer),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        by: Type.Literal("page"),
        parameter: ParameterName,
        first: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
      },
      { additionalProperties: false },
    ),
    Type.Object({ by: Type.Literal("offset"), parameter: ParameterName }, { additionalProperties: false }),
  ],
  { description: "Where the next page is." },
);

export const AccountsSchema = Type.Record(
  Type.String({ pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" }),
  Type.Object(
    {
      headers: Type.Optional(HeadersSchema),
      parameters: Type.Optional(ParametersSchema),
      oauth: oauthField,
    },
    { additionalProperties: false, minProperties: 1 },
  ),
  {
    additionalProperties: false,
    maxProperties: 10_000,
    description: "Headers, parameters and credentials for the shipments of an account, by its id.",
  },
);

export type Template = Static<typeof TemplateSchema>;

export const KINDS = [
  "container_id",
  "bill_of_lading",
  "booking",
] as const satisfies readonly IdentifierType[];

/** Stands for a reference of that kind, in a path or a parameter. */
export const placeholderOf = (kind: IdentifierType): string => `{${kind}}`;

export type Question = Static<typeof QuestionSchema>;
export type Paging = Static<typeof PagingSchema>;
export type Split = Static<typeof SplitSchema>;
