/** The carriers file: whose APIs are asked, and how. The only place where carriers differ. */
import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";

const SCAC = Type.String({ pattern: "^[A-Z]{2,4}$", description: "Standard Carrier Alpha Code" });

const CarrierSchema = Type.Object(
  {
    scac: SCAC,
    name: Type.String({ minLength: 1, maxLength: 100 }),
    api: Type.Literal("dcsa-tnt-2.2"),
    baseUrl: Type.String({
      pattern: "^https?://[^\\s?#]+$",
      description: "What stands before `/events`.",
    }),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: "^[A-Za-z0-9-]+$" }), Type.String({ maxLength: 4096 }), {
        description: "Sent with every request: API keys, client ids. Never logged.",
      }),
    ),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 120_000 })),
    requestsMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: "Requests open at once, a node." }),
    ),
    billPrefixes: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z]{4}$" }), {
        description: "How its bills of lading begin, beside its SCAC.",
      }),
    ),
    ownerCodes: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z]{3}[UJZ]$" }), {
        description: "How the numbers of its own containers begin.",
      }),
    ),
    asOf: Type.Optional(
      Type.Union([Type.Literal("now"), Type.Literal("answer-date")], {
        description: "Whose clock estimates are judged by: `answer-date` for a carrier that is replayed.",
      }),
    ),
    spelling: Type.Optional(
      Type.Object(
        {
          envelopes: Type.Optional(Type.Array(Type.String())),
          fields: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
          classifiers: Type.Optional(
            Type.Record(
              Type.String(),
              Type.Union([Type.Literal("actual"), Type.Literal("estimated"), Type.Literal("planned")]),
            ),
          ),
        },
        { additionalProperties: false, description: "Spellings of its own; see `dcsa/spelling.ts`." },
      ),
    ),
  },
  { additionalProperties: false },
);

const CarriersFileSchema = Type.Array(CarrierSchema, { maxItems: 200 });

export type Carrier = Static<typeof CarrierSchema>;

const compiled = Compile(CarriersFileSchema);

export type ReadCarriers =
  | { readonly kind: "carriers"; readonly carriers: readonly Carrier[] }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Reads the carriers file's text. The problems name places and rules, never values: those are secrets. */
export function readCarriers(text: string): ReadCarriers {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "invalid", problems: ["the carriers file is no JSON"] };
  }
  if (!compiled.Check(value)) {
    const problems = compiled.Errors(value).map((error) => `${error.instancePath || "/"} ${error.message}`);
    return { kind: "invalid", problems };
  }
  const twice = value.find(({ scac }, index) => value.findIndex((other) => other.scac === scac) !== index);
  return twice === undefined
    ? { kind: "carriers", carriers: value }
    : { kind: "invalid", problems: [`carrier ${twice.scac} is there twice`] };
}

/** All beginnings of bills of lading by which a reference is told to be one. */
export function billPrefixes(carriers: readonly Carrier[]): readonly string[] {
  return carriers.flatMap(billPrefixesOf);
}

function billPrefixesOf({ scac, billPrefixes: own }: Carrier): readonly string[] {
  return [...(scac.length === 4 ? [scac] : []), ...(own ?? [])];
}

/**
 * The carriers to ask for a reference, likeliest first: the hint alone where one was given; else the
 * one whose bills or boxes begin like it, then all others, since a box often belongs to a lessor or
 * to another carrier.
 */
export function candidates(
  carriers: readonly Carrier[],
  reference: string,
  hint: string | null,
): readonly Carrier[] {
  const hinted = carriers.filter(({ scac }) => scac === hint);
  if (hinted.length > 0) return hinted;
  const likely = carriers.filter((carrier) =>
    [...billPrefixesOf(carrier), ...(carrier.ownerCodes ?? [])].some((prefix) =>
      reference.startsWith(prefix),
    ),
  );
  return [...likely, ...carriers.filter((carrier) => !likely.includes(carrier))];
}
