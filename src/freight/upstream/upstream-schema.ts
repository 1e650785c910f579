/** The fields of an upstream in a configuration file. */
import { Type, type Static } from "typebox";

/** What may stand in a header; anything else would break every request. */
const HeaderValue = Type.String({ maxLength: 4096, pattern: "^[\\x20-\\x7e]*$", form: "printable ASCII" });

export const HeaderName = Type.String({ pattern: "^[A-Za-z0-9-]+$", form: "letters, digits and hyphens" });

export const HeadersSchema = Type.Record(Type.String({ pattern: "^[A-Za-z0-9-]+$" }), HeaderValue, {
  maxProperties: 20,
  additionalProperties: false,
});

export const ParametersSchema = Type.Record(Type.String(), Type.String({ maxLength: 1024 }), {
  maxProperties: 20,
});
const Credential = Type.String({ minLength: 1, maxLength: 4096 });
const Limit = Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }));

const File = Type.String({ minLength: 1, maxLength: 1024 });

const AssertionSchema = Type.Object(
  {
    /** The private key, PEM. */
    keyFile: File,
    /** Its certificate, PEM, whose thumbprint goes into the assertion's header. */
    certificateFile: Type.Optional(File),
    thumbprint: Type.Optional(Type.Union([Type.Literal("x5t"), Type.Literal("x5t#S256")])),
    keyId: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    algorithm: Type.Optional(
      Type.Union([Type.Literal("RS256"), Type.Literal("PS256"), Type.Literal("ES256")]),
    ),
    /** Default: `tokenUrl`. */
    audience: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    lifetimeSeconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 3_600 })),
  },
  {
    additionalProperties: false,
    description: "A signed assertion in place of the secret (`private_key_jwt`, RFC 7523).",
  },
);

export type AssertionSettings = Static<typeof AssertionSchema>;

const OAuthSchema = Type.Object(
  {
    tokenUrl: Type.String({
      pattern: "^https?://[^\\s#@]+$",
      form: "a URL that begins with https:// or http://, without user and fragment",
      maxLength: 1024,
    }),
    clientId: Credential,
    /** Either this or `assertion`. */
    clientSecret: Type.Optional(Credential),
    assertion: Type.Optional(AssertionSchema),
    scope: Type.Optional(Type.String({ maxLength: 1024 })),
    audience: Type.Optional(Type.String({ maxLength: 1024 })),
    /** Where id and secret go: the form (the default), or an `Authorization: Basic` header. */
    clientAuthentication: Type.Optional(Type.Union([Type.Literal("form"), Type.Literal("basic")])),
    /** Sent with the request for a token. */
    headers: Type.Optional(HeadersSchema),
    /** More fields of the form. */
    parameters: Type.Optional(ParametersSchema),
    /** The field of the answer that holds the token; default `access_token`. */
    tokenField: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    /** The header that carries the token to the API; default `Authorization`. */
    tokenHeader: Type.Optional(HeaderName),
    /** What precedes the token in it; default `Bearer ` in `Authorization`, else nothing. */
    tokenPrefix: Type.Optional(HeaderValue),
  },
  { additionalProperties: false, description: "OAuth 2.0 client credentials (RFC 6749, 4.4)." },
);

export type OAuthSettings = Static<typeof OAuthSchema>;

export const oauthField = Type.Optional(OAuthSchema);

/** The next is tried where one is refused, so that keys can be renewed one after the other. */
const ApiKeysSchema = Type.Object(
  { header: HeaderName, values: Type.Array(HeaderValue, { minItems: 1, maxItems: 4 }) },
  { additionalProperties: false, description: "Subscription keys: the next where one is refused." },
);

export type ApiKeySettings = Static<typeof ApiKeysSchema>;

export const QuotaSchema = Type.Object(
  { perSecond: Limit, perMinute: Limit, perDay: Limit },
  {
    additionalProperties: false,
    minProperties: 1,
    description: "Requests that all nodes together may send.",
  },
);

/** What an upstream allows all nodes together; of several limits all hold. */
export type QuotaSettings = { readonly [Window in keyof Static<typeof QuotaSchema>]?: number | undefined };

/** What every upstream may have beside its address. Headers hold API keys and client ids: never logged. */
export const upstreamFields = {
  headers: Type.Optional(HeadersSchema),
  apiKeys: Type.Optional(ApiKeysSchema),
  oauth: oauthField,
  quota: Type.Optional(QuotaSchema),
  timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 120_000 })),
};
