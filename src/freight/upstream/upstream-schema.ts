/** The fields of an upstream in a configuration file. */
import { Type } from "typebox";

/** What may stand in a header; anything else would break every request. */
const HeaderValue = Type.String({ maxLength: 4096, pattern: "^[\\x20-\\x7e]*$", form: "printable ASCII" });

export const HeadersSchema = Type.Record(Type.String({ pattern: "^[A-Za-z0-9-]+$" }), HeaderValue, {
  maxProperties: 20,
  additionalProperties: false,
});

export const ParametersSchema = Type.Record(Type.String(), Type.String({ maxLength: 1024 }), {
  maxProperties: 20,
});
const Credential = Type.String({ minLength: 1, maxLength: 4096 });
const Limit = Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }));

const OAuthSchema = Type.Object(
  {
    tokenUrl: Type.String({
      pattern: "^https?://[^\\s#@]+$",
      form: "a URL that begins with https:// or http://, without user and fragment",
      maxLength: 1024,
    }),
    clientId: Credential,
    clientSecret: Credential,
    scope: Type.Optional(Type.String({ maxLength: 1024 })),
    audience: Type.Optional(Type.String({ maxLength: 1024 })),
    clientAuthentication: Type.Optional(Type.Union([Type.Literal("form"), Type.Literal("basic")])),
    headers: Type.Optional(HeadersSchema),
    parameters: Type.Optional(ParametersSchema),
  },
  { additionalProperties: false, description: "OAuth 2.0 client credentials (RFC 6749, 4.4)." },
);

export const QuotaSchema = Type.Object(
  { perSecond: Limit, perMinute: Limit, perDay: Limit },
  {
    additionalProperties: false,
    minProperties: 1,
    description: "Requests that all nodes together may send.",
  },
);

/** What every upstream may have beside its address. Headers hold API keys and client ids: never logged. */
export const upstreamFields = {
  headers: Type.Optional(HeadersSchema),
  oauth: Type.Optional(OAuthSchema),
  quota: Type.Optional(QuotaSchema),
  timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 120_000 })),
};
