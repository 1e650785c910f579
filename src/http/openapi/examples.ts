/**
 * Puts an example into each request, answer and refusal of an OpenAPI document. A schema's own `examples` win. Else the
 * example is made of its parts: what the product says of a schema's title or of a property's name, else what the schema
 * itself allows.
 */
import type { Examples, Product } from "../../model/product.ts";
import { refusalMessages } from "./refusal-examples.ts";
import { bodyExample } from "../webhooks/event-types.ts";

type Schema = {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
};

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: "01a1fc9f-98f4-77f7-82bf-42bcc7b77f54",
  "date-time": "2026-11-21T05:41:20.244Z",
  date: "2026-11-21",
};

/** `name`: of the property that has the schema, behind the title of what it belongs to. Undefined: none can be made. */
export function exampleOf(schema: Schema, examples: Examples, name = "", owner = ""): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.title !== undefined && Object.hasOwn(examples, schema.title)) return examples[schema.title];
  if (schema.type === "object") {
    const own = [`${owner}.${name}`, name].map((key) => examples[key]).find(isObject);
    return own ?? objectExample(schema, examples);
  }
  if (schema.type === "array") {
    if (Object.hasOwn(examples, `${name}[]`)) return examples[`${name}[]`];
    const item = exampleOf(schema.items ?? {}, examples, name, owner);
    return item === undefined ? undefined : [item];
  }
  const option = schema.anyOf?.find(({ type }) => type !== "null");
  if (option !== undefined) return exampleOf(option, examples, name, owner);
  for (const key of [`${owner}.${name}`, name]) if (Object.hasOwn(examples, key)) return examples[key];
  return plainExample(schema);
}

function plainExample(schema: Schema): unknown {
  if ("const" in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  switch ([schema.type].flat()[0]) {
    case "boolean":
      return false;
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "string":
      return BY_FORMAT[schema.format ?? ""];
    case "null":
      return null;
    default:
      return {};
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectExample({ properties = {}, title = "" }: Schema, examples: Examples): object | undefined {
  const members = Object.entries(properties).map(
    ([name, member]) => [name, exampleOf(member, examples, name, title)] as const,
  );
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

type Media = { readonly schema?: Schema; readonly example?: unknown };
type Content = Readonly<Record<string, Media>>;

type Operation = {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
};

type Document = { readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** Before schemas are hoisted: each is whole. */
export function withExamples<Made extends object>(document: Made, examples: Examples): Made {
  const { paths = {} } = document as Document;
  const mapped = mapValues(paths, (item) =>
    mapValues(item, (operation) => operationWith(operation, examples)),
  );
  return { ...document, paths: mapped };
}

function operationWith(operation: Operation, examples: Examples): Operation {
  const { operationId = "", parameters, requestBody, responses } = operation;
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) => withExample(one, examples, one.name, operationId)),
    }),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: mapValues(requestBody.content, (media) => withExample(media, examples)),
      },
    }),
    ...(responses && {
      responses: mapValues(responses, ({ content, ...response }) => ({
        ...response,
        ...(content && {
          content: mapValues(content, (media) =>
            answerWith(media, operation, response.description, examples),
          ),
        }),
      })),
    }),
  };
}

function withExample<Shown extends Media>(shown: Shown, examples: Examples, name = "", owner = ""): Shown {
  if (shown.schema === undefined || shown.example !== undefined) return shown;
  const example = exampleOf(shown.schema, examples, name, owner);
  return example === undefined ? shown : { ...shown, example };
}

/** A refusal has an example for each code, which its description lists (`answer-schema.ts`). */
function answerWith(
  media: Media,
  { operationId = "" }: Operation,
  description: string,
  examples: Examples,
): Media {
  if (media.schema?.title !== "Refusal") return withExample(media, examples, operationId);
  const refusals = description.split(", ").map((code) => {
    const name = code.toUpperCase();
    const error = { code, message: examples[`${operationId}.${name}`] ?? examples[name] };
    return [code, { value: { ...(exampleOf(media.schema!, examples) as object), error } }] as const;
  });
  return { ...media, examples: Object.fromEntries(refusals) } as Media;
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

const PORTAL_SESSION = {
  token: "session.eyJwcm9kdWN0IjoiYWlyIn0.o6ZaLXaGtvPevAu2-SVXLT8JDQ3uVvUDoq79uL2SQKo",
  expires_at: "2026-11-21T06:41:20.244Z",
  expires_in_seconds: 3_600,
  renewable_until: "2026-11-21T17:41:20.244Z",
  opened_by: "key",
  account_name: "Acme Forwarding",
  missing_entitlement: null,
  limits: { requests_per_minute: 600, endpoints: 100, streams: 5 },
};

/** Of the routes that all products have, and of the product's own. */
export function examplesOf(product: Product): Examples {
  const [type] = product.catalogue;
  const { name, description } = type!;
  const body = bodyExample(type!);
  const tag = product.headerTag;
  return {
    id: "01a1fc9f-98f4-77f7-82bf-42bcc7b77f54",
    delivery_id: "01a1fc9f-9e48-73e0-b3a1-06c2d680d67c",
    streamEvents: `id: ${body.id}\ndata: ${JSON.stringify(body)}\n\n`,
    url: "https://example.com/webhooks",
    event_type: name,
    "event_types[]": [name],
    "Event.type": name,
    type: name,
    "Event.data": body.data,
    description: "our warehouse",
    active: true,
    secret: `whsec_${"A".repeat(64)}`,
    limit: 50,
    next_cursor: "AaH8n5j0d_eCv0K8x7t_VA",
    status: "delivered",
    attempt_count: 1,
    last_status_code: 204,
    status_code: 503,
    last_error: "http_503: The endpoint answered Service Unavailable.",
    error: "http_503: The endpoint answered Service Unavailable.",
    address: "203.0.113.7:443",
    number: 1,
    duration_ms: 42,
    body: JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      "user-agent": `${tag}-Webhooks/1`,
      [`X-${tag}-Event`]: name,
      [`X-${tag}-Delivery`]: body.id,
      [`X-${tag}-Signature`]: `sha256=${"6f0c".repeat(16)}`,
    },
    readDeliverySchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: `Webhook delivery: ${product.title}`,
    },
    "EventType.schema": { type: "object" },
    "EventType.example": body,
    "EventType.name": name,
    "EventType.description": description,
    "EventType.subscribable": true,
    "EventType.raised": true,
    PortalSignIn: { key: `${product.keyPrefixes[0]!}_EWaetCt3RC5HyDWCnd8XqirvnjiReT1pKA2Q` },
    PortalSession: PORTAL_SESSION,
    message: "query.limit must be at most 100: from 1 to 100",
    ...refusalMessages(product),
  };
}
