/** What the operator's document says of a route beside its schemas: its name, its refusals, and kept shapes. */
import type { KeptExamples, KeptRoute } from "../http/openapi/examples.ts";
import type { Listener } from "../http/listener.ts";
import { ERRORS, type ErrorCode } from "../model/errors.ts";

type Content = Readonly<Record<string, object>>;
type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>;
};
type Document = {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: object;
};

/** To be called before the routes are mounted. */
export function nameOperations(app: Listener): void {
  app.addHook("onRoute", (route) => {
    if (route.schema?.hide === true) return;
    const operationId = nameOf(String([route.method].flat()[0]), route.url);
    route.schema = { operationId, ...route.schema };
  });
}

/** `GET /v1/accounts/:id/keys` is `getAccountsIdKeys`: what generated clients call it. */
function nameOf(method: string, url: string): string {
  const words = url
    .replace("/v1", "")
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}

export function withShapes<Made extends object>(document: Made, { routes }: KeptExamples): Made {
  const { paths = {} } = document as Document;
  const shown = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => {
        const route = `${method.toUpperCase()} ${path}`;
        return [method, withShape(operation, route, routes[route] ?? {})];
      }),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(shown) };
}

/** What the maker of documents says of an answer without a description, and of one without a schema. */
const OF_NO_NAME = "Default Response";

/** Of bodies and answers that no schema describes, the shape that was seen. */
function withShape(operation: Operation, route: string, { bodies, answers = {} }: KeptRoute): object {
  const { requestBody, responses } = operation;
  const seen = Object.entries(answers).map(([status, answer]) => {
    const content = { "application/json": { schema: schemaOf(answer) } };
    return [status, { description: "Done", content }] as const;
  });
  const described = Object.entries(responses ?? {}).flatMap(([status, response]) => {
    const isNamed = response.description !== OF_NO_NAME;
    return isNamed || "content" in response
      ? [[status, isNamed ? response : { ...response, description: "Done" }] as const]
      : [];
  });
  return {
    ...operation,
    ...(bodies && {
      requestBody: {
        required: true,
        ...requestBody,
        content: { ...shapesOf(bodies), ...requestBody?.content },
      },
    }),
    responses: {
      ...Object.fromEntries(seen),
      ...Object.fromEntries(described),
      ...refusals(route, operation),
    },
  };
}

/** Of refusals that several operations share word for word, the most frequent of each code stands once. */
export function withSharedRefusals<Made extends object>(document: Made): Made {
  const { paths = {}, components } = document as Document;
  const refused = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ responses = {} }) => Object.entries(responses))
    .flatMap(([status, response]) => (status < "400" ? [] : [response]));
  const alike = [...Map.groupBy(refused, (one) => JSON.stringify(one)).values()];
  const rising = alike.filter(({ length }) => length > 1).toSorted((one, other) => one.length - other.length);
  const responses = Object.fromEntries(rising.map(([one]) => [one!.description!, one!]));
  let text = JSON.stringify(paths);
  for (const [code, one] of Object.entries(responses))
    text = text.replaceAll(JSON.stringify(one), JSON.stringify({ $ref: `#/components/responses/${code}` }));
  return { ...document, paths: JSON.parse(text) as object, components: { ...components, responses } };
}

function shapesOf(bodies: Readonly<Record<string, unknown>>): Content {
  return Object.fromEntries(Object.entries(bodies).map(([type, body]) => [type, { schema: schemaOf(body) }]));
}

/** Monitoring needs no token and is refused nothing. */
function refusals(route: string, { parameters = [] }: Operation): object {
  if (!route.includes(" /v1/")) return {};
  const codes: ErrorCode[] = ["INVALID_REQUEST", "UNAUTHORIZED"];
  const named = parameters.filter(({ required }) => required).map(({ name }) => name);
  const isRemoved = route.startsWith("DELETE ") && named.length > 0;
  if (route.includes("{") || named.includes("account_id") || isRemoved) codes.push("NOT_FOUND");
  if (!route.startsWith("GET ")) codes.push("PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE");
  codes.push("RATE_LIMITED", "INTERNAL_ERROR", "UNAVAILABLE");
  return Object.fromEntries(
    codes.map((code) => [
      ERRORS[code],
      { description: code, content: { "application/json": { schema: REFUSAL } } },
    ]),
  );
}

const REFUSAL = {
  type: "object",
  title: "Refusal",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "string" }, message: { type: "string" } },
    },
  },
};

/** What is null may be anything. */
function schemaOf(value: unknown): object {
  if (value === null || value === undefined) return {};
  if (Array.isArray(value)) return { type: "array", items: value.length === 0 ? {} : schemaOf(value[0]) };
  if (typeof value !== "object") return { type: typeof value };
  const members = Object.entries(value);
  const required = members.map(([name]) => name);
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(members.map(([name, member]) => [name, schemaOf(member)])),
  };
}
