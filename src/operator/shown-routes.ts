/** Puts what `examples.ts` shows of each route into the operator's document: bodies, answers and refusals. */
import { exampleOf } from "../http/openapi/examples.ts";
import { ERRORS, type ErrorCode } from "../model/errors.ts";
import type { Examples } from "../model/product.ts";
import type { ShownRoute } from "./example-values.ts";

type Parameter = { readonly name: string; readonly in: string; readonly schema?: object };
type Content = Readonly<Record<string, { readonly schema?: object }>>;
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
};
type Document = { readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const MESSAGES: { readonly [Code in ErrorCode]?: string } = {
  INVALID_REQUEST: "body lacks name",
  UNAUTHORIZED: "send the operator's token as Authorization: Bearer <token>",
  NOT_FOUND: "there is no account of that id",
  PAYLOAD_TOO_LARGE: "the body has more than 64 KiB, the most that this path takes; send less at once",
  UNSUPPORTED_MEDIA_TYPE: "send the body as JSON, with content-type: application/json",
  RATE_LIMITED: "more than 60 requests in 60 seconds; go on in 12 seconds",
  INTERNAL_ERROR: "the service failed; this is not your fault",
  UNAVAILABLE: "the database cannot be reached at the moment; try again",
};

export function withShownRoutes<Made extends object>(document: Made, examples: Examples): Made {
  const { paths = {} } = document as Document;
  const shown = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => [
        method,
        withShown(operation, `${method.toUpperCase()} ${path}`, examples),
      ]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(shown) };
}

/** A test finds routes that nobody shows. */
function withShown(operation: Operation, route: string, examples: Examples): object {
  const shown = examples[route] as ShownRoute | undefined;
  if (shown === undefined) return operation;
  const {
    summary,
    status,
    body,
    bodySchema,
    texts = {},
    answer,
    others = {},
    path = {},
    type = "application/json",
  } = shown;
  const parameters = operation.parameters?.map((one) => {
    const example = path[one.name] ?? exampleOf(one.schema ?? {}, examples, one.name);
    return { ...one, ...(example !== undefined && { example }) };
  });
  const schema = operation.responses?.[status]?.content?.[type]?.schema ?? schemaOf(answer);
  const answers = Object.entries(operation.responses ?? {}).flatMap(([one, response]) => {
    const json = response.content?.["application/json"];
    if (json === undefined) return [];
    const example = others[one] ?? answer;
    return [[one, { ...response, content: { "application/json": { ...json, example } } }] as const];
  });
  const done = {
    description: "Done",
    ...(answer !== undefined && { content: { [type]: { schema, example: answer } } }),
  };
  return {
    operationId: nameOf(route),
    summary,
    ...operation,
    ...(parameters && { parameters }),
    ...(body && { requestBody: bodyWith(operation, body, texts, bodySchema) }),
    responses: { ...Object.fromEntries(answers), [status]: done, ...refusals(route, body !== undefined) },
  };
}

/** `GET /v1/accounts/{id}/keys` is `getAccountsIdKeys`: what generated clients call it. */
function nameOf(route: string): string {
  const [method = "", ...words] = route
    .replace("/v1", "")
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}

function bodyWith(
  { requestBody }: Operation,
  example: object,
  texts: Readonly<Record<string, string>>,
  schema: object = schemaOf(example),
): object {
  const { content } = (requestBody ?? {}) as { readonly content?: Readonly<Record<string, object>> };
  const json = content?.["application/json"] ?? { schema };
  const others = Object.entries(texts).map(([type, text]) => [
    type,
    { schema: { type: "string" }, example: text },
  ]);
  return {
    required: true,
    ...requestBody,
    content: { ...content, "application/json": { ...json, example }, ...Object.fromEntries(others) },
  };
}

/** Monitoring needs no token and is refused nothing. */
function refusals(route: string, hasBody: boolean): object {
  if (!route.includes(" /v1/")) return {};
  const codes: ErrorCode[] = ["INVALID_REQUEST", "UNAUTHORIZED"];
  if (route.includes("{")) codes.push("NOT_FOUND");
  if (hasBody) codes.push("PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE");
  codes.push("RATE_LIMITED", "INTERNAL_ERROR", "UNAVAILABLE");
  return Object.fromEntries(
    codes.map((code) => {
      const example = { error: { code, message: MESSAGES[code] } };
      return [
        ERRORS[code],
        { description: code, content: { "application/json": { schema: REFUSAL, example } } },
      ];
    }),
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

/** The shape of an example, for routes that read or answer what no schema describes. What is null in it may be anything. */
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
