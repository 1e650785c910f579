import type { FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import Type, { type TObject, type TSchema } from "typebox";

import type { Product, EventType } from "../../model/product.ts";
import { thisBuild } from "../../runtime/build.ts";
import { refusalSchemas } from "../answer-schema.ts";
import { errorIn } from "../envelope.ts";
import { bodyExample, bodySchema, deliveredTypes } from "../webhooks/event-types.ts";
import { readExamples, withExamples } from "./examples.ts";

/** Of the paths, not of the answers' shapes (spec 9: path_version). */
const API_VERSION = "1";

/** How one product's routes become an OpenAPI 3.1 document; `prefix` is where they are mounted. */
export function documentOptions(product: Product, prefix: string): FastifyDynamicSwaggerOptions {
  const openapi = {
    openapi: "3.1.0",
    info: { title: product.title, version: API_VERSION, description: introduction(product) },
    // Beside the document, whatever host name or prefix it was read under.
    servers: [{ url: "." }],
    tags: [
      { name: "Endpoints", description: "Where deliveries go." },
      { name: "Deliveries", description: "What is sent there." },
      { name: "Portal", description: "The pages at portal, for people." },
    ],
    security: [{ bearer: [] }, { apiKey: [] }],
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
      },
    },
    webhooks: webhooksOf(product),
  };
  return {
    openapi: openapi as NonNullable<FastifyDynamicSwaggerOptions["openapi"]>,
    convertConstToEnum: false,
    stripBasePath: false,
    transform: ({ schema, url, route }) => ({
      schema: {
        ...schema,
        ...(route.config?.pinsVersion === false ? {} : versionHeader(product, schema.headers)),
        response: { ...(schema.response as object), ...bodyRefusals(product, [route.method].flat()) },
      },
      url: url.slice(prefix.length),
    }),
    transformObject: (made) => {
      const document = "openapiObject" in made ? made.openapiObject : made.swaggerObject;
      const kept = readExamples(product.examples);
      return hoistTitled(withExamples(document, kept, (error) => errorIn(product, error)));
    },
  };
}

/** The header that every route of a product with versions takes (`version.ts`). */
function versionHeader({ versions }: Product, own: unknown): object {
  if (versions.length === 0) return {};
  const version = Type.Enum([...versions], {
    description: `the shape of the answer; without it, that of ${versions[0]}`,
  });
  const { properties = {} } = (own ?? {}) as Partial<TObject>;
  return { headers: Type.Object({ ...properties, "api-version": Type.Optional(version) }) };
}

const { version: BUILT } = thisBuild();

/** Beside the document, as `scripts/build-packages.ts` names them. */
const TO_INSTALL = [
  `npm installs \`packages/boathook-receiver-${BUILT}.tgz\` and \`packages/boathook-client-${BUILT}.tgz\``,
  `pip \`packages/boathook_receiver-${BUILT}-py3-none-any.whl\``,
  `Go what \`packages/go\` as its \`GOPROXY\` has, \`boathook.example/receiver@v${BUILT}\``,
].join(", ");

function introduction({ headerTag, keyPrefixes, entitlement, versions }: Product): string {
  const prefixes = keyPrefixes.map((prefix) => `\`${prefix}_\``).join(" or ");
  return [
    "Register HTTPS endpoints and receive signed JSON deliveries.",
    `Requests carry a key that starts with ${prefixes}.`,
    `Verify \`X-${headerTag}-Signature\` over the raw body before you trust it, and deduplicate on the delivery's id.`,
    `Receivers that do both, and a typed client, lie beside this document: ${TO_INSTALL}.`,
    ...(entitlement === null ? [] : [`Registering and testing need the entitlement \`${entitlement}\`.`]),
    ...(versions.length === 0
      ? []
      : [
          `Pin a version with the header \`Api-Version\`: ${versions.map((version) => `\`${version}\``).join(", ")}.`,
        ]),
    "Text holds no NUL character and no half of a surrogate pair, and `__proto__` is no name.",
  ].join(" ");
}

/** What every route refuses that can have a body. */
function bodyRefusals(product: Product, methods: readonly string[]): Readonly<Record<string, TSchema>> {
  if (methods.every((method) => method === "GET" || method === "HEAD")) return {};
  const { 413: tooLarge, 415: otherType } = refusalSchemas(product, [
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
  ]);
  return { 413: tooLarge!, 415: otherType! };
}

/**
 * Moves schemas with a title to the components, and drops the symbols that the schema library keeps on schemas. Adds what
 * `stated` says of a value that a route checks by hand, to answer better than its schema would.
 */
export function hoistTitled<Document extends object>(document: Document): Document {
  const schemas: Record<string, unknown> = {};

  function hoist(value: unknown, areNames = false): unknown {
    if (Array.isArray(value)) return value.map((item) => hoist(item));
    if (typeof value !== "object" || value === null) return value;
    const { stated, form: _form, ...said } = value as { readonly stated?: object; readonly form?: unknown };
    const own = areNames ? value : { ...said, ...stated };
    const copy = Object.fromEntries(
      Object.entries(own).map(([name, member]) => [
        name,
        // What looks like a schema in an example is none.
        !areNames && /^examples?$/.test(name) ? member : hoist(member, name === "properties"),
      ]),
    );
    if ("properties" in copy) copy["properties"] = withoutDefaults(copy);
    const { title } = copy;
    if (typeof title !== "string" || !("type" in copy || "enum" in copy)) return copy;
    schemas[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  }

  const hoisted = hoist(document) as Document & { readonly components?: object };
  return { ...hoisted, components: { ...hoisted.components, schemas } };
}

type Property = { readonly default?: unknown; readonly description?: string };

/** A generator of clients takes a field with a default for one that is always there: of what may be left out, words say it. */
function withoutDefaults({ properties, required = [] }: Record<string, unknown>): Record<string, unknown> {
  const always = new Set(required as readonly string[]);
  return Object.fromEntries(
    Object.entries(properties as Record<string, Property>).map(([name, property]) => {
      const { default: usual, description, ...rest } = property;
      if (usual === undefined || always.has(name)) return [name, property];
      const said = `by default ${JSON.stringify(usual)}`;
      return [name, { ...rest, description: description === undefined ? said : `${description}; ${said}` }];
    }),
  );
}

/**
 * What a product sends, one entry an event type, as OpenAPI's `webhooks` (spec 5.1: user_agent, event_header,
 * delivery_header, signature_header, content_type).
 */
function webhooksOf(product: Product): Record<string, object> {
  const types = deliveredTypes(product).filter((type) => type.raised);
  return Object.fromEntries(types.map((type) => [type.name, { post: delivery(product, type) }]));
}

function delivery(product: Product, type: EventType): object {
  return {
    operationId: `deliver_${type.name}`,
    tags: ["Deliveries"],
    summary: type.name,
    description: type.description,
    security: [],
    parameters: deliveryHeaders(product, type),
    requestBody: {
      required: true,
      content: { "application/json": { schema: bodySchema(type), example: bodyExample(type) } },
    },
    responses: {
      "2XX": { description: "Received: the delivery is done. The body is ignored." },
      default: {
        description: "Anything else, redirects as well, and no answer within 10 seconds: sent again later.",
      },
    },
  };
}

function deliveryHeaders({ headerTag }: Product, type: EventType): object[] {
  return [
    header("User-Agent", Type.Literal(`${headerTag}-Webhooks/1`), "Who sends it."),
    header(`X-${headerTag}-Event`, Type.Literal(type.name), "The event type."),
    header(`X-${headerTag}-Delivery`, Type.String({ format: "uuid" }), "The delivery's id, as in the body."),
    header(
      `X-${headerTag}-Signature`,
      Type.String({ pattern: "^sha256=[0-9a-f]{64}$" }),
      "HMAC-SHA256 over the raw body with the endpoint's secret as the key, in hex.",
    ),
  ];
}

function header(name: string, schema: TSchema, description: string): object {
  return { name, in: "header", required: true, description, schema };
}
