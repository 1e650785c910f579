import type { FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import Type from "typebox";

import type { Product } from "../../model/product.ts";
import { webhooksOf } from "./webhooks.ts";

/** The API's own version: that of the paths, not of the answers' shapes (spec 9: path_version). */
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
    transform: ({ schema, url }) => ({
      schema: { ...schema, ...versionHeader(product) },
      url: url.slice(prefix.length),
    }),
    transformObject: (made) => hoistTitled("openapiObject" in made ? made.openapiObject : made.swaggerObject),
  };
}

/** What every route of a product with versions takes (`version.ts`), for whoever reads the document. */
function versionHeader({ versions }: Product): object {
  if (versions.length === 0) return {};
  const version = Type.Enum([...versions], {
    description: `the shape of the answer; without it, that of ${versions[0]}`,
  });
  return { headers: Type.Object({ "api-version": Type.Optional(version) }) };
}

function introduction({ headerTag, keyPrefixes, entitlement, versions }: Product): string {
  const prefixes = keyPrefixes.map((prefix) => `\`${prefix}_\``).join(" or ");
  return [
    "Register HTTPS endpoints and receive signed JSON deliveries.",
    `Requests carry a key that starts with ${prefixes}.`,
    `Verify \`X-${headerTag}-Signature\` over the raw body before you trust it, and deduplicate on the delivery's id.`,
    ...(entitlement === null ? [] : [`Registering and testing need the entitlement \`${entitlement}\`.`]),
    ...(versions.length === 0
      ? []
      : [
          `Pin a version with the header \`Api-Version\`: ${versions.map((version) => `\`${version}\``).join(", ")}.`,
        ]),
  ].join(" ");
}

/**
 * Schemas that have a title appear once, as components, and by reference everywhere else. The document
 * is plain JSON afterwards, without whatever the schema library keeps on its schemas.
 */
function hoistTitled<Document extends object>(document: Document): Document {
  const schemas: Record<string, unknown> = {};

  function hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== "object" || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hoist(member)]));
    const { title } = copy;
    if (typeof title !== "string" || !("type" in copy || "enum" in copy)) return copy;
    schemas[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  }

  const hoisted = hoist(document) as Document & { readonly components?: object };
  return { ...hoisted, components: { ...hoisted.components, schemas } };
}
