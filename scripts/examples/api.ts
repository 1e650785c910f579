/** An API that examples are recorded of: its document, and requests to it. */
import type { TryVariables } from "./try-world.ts";

export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema?: ParameterSchema;
};

export type ParameterSchema = {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
};

export type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly $ref?: string;
        readonly description: string;
        readonly content?: Readonly<Record<string, object>>;
      }
    >
  >;
};

/** `METHOD /path`, as the document has it. */
export type Route = { readonly name: string; readonly method: string; readonly path: string } & Operation;

export type Api = {
  /** `operator`, or the tag of a product. */
  readonly name: string;
  readonly url: string;
  /** A key that may do all, or the operator's token. */
  readonly key: string;
  /** Of an account without an entitlement. */
  readonly poorKey: string;
  readonly routes: readonly Route[];
  readonly schemas: Readonly<Record<string, object>>;
};

export type Request = {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly type?: string;
  /** Null: none. */
  readonly key?: string | null;
};

export type Answer = { readonly status: number; readonly text: string };

export async function readApi(name: string, url: string, key: string, poorKey: string): Promise<Api> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components?: {
      readonly schemas?: Record<string, object>;
      readonly responses?: Operation["responses"];
    };
  };
  const shared = document.components?.responses ?? {};
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, { $ref = "", ...own }]) => [
          status,
          shared[$ref.split("/").at(-1)!] ?? own,
        ]),
      ),
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
    })),
  );
  return { name, url, key, poorKey, routes, schemas: document.components?.schemas ?? {} };
}

/** How much of an answer without an end is read: until it has said something. */
const SAID = /^data: .*\n\n/m;

const TRIES_MAX = 5;
const LARGE_BYTES = 1024 * 1024;

/** What refuses a large body unread may close the connection while it is still sent: then it is sent again. */
async function answered(url: string, init: RequestInit, tries = 1): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (tries === TRIES_MAX || typeof init.body !== "string" || init.body.length < LARGE_BYTES) throw error;
    return answered(url, init, tries + 1);
  }
}

export async function send(api: Api, route: Route, request: Request): Promise<Answer> {
  const { parameters = {}, body, type = "application/json", key = api.key } = request;
  const declared = route.parameters ?? [];
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters[name])),
  );
  const others = Object.entries(parameters).filter(([name]) => !route.path.includes(`{${name}}`));
  const isHeader = (name: string) => declared.some((one) => one.name === name && one.in === "header");
  const query = new URLSearchParams(
    others.filter(([name]) => !isHeader(name)).map(([name, value]) => [name, String(value)]),
  );
  const headers = others.filter(([name]) => isHeader(name)).map(([name, value]) => [name, String(value)]);
  const ending = new AbortController();
  const response = await answered(`${api.url}${path}?${query.toString()}`, {
    method: route.method,
    signal: ending.signal,
    headers: {
      ...Object.fromEntries(headers),
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": type }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const isEndless = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isEndless) return { status: response.status, text: await response.text() };
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (SAID.test(text)) break;
  }
  ending.abort();
  return { status: response.status, text };
}

/** A JSON request that must succeed. */
export async function ask<T>(
  api: Pick<Api, "url" | "key">,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(api.url + path, {
    method,
    headers: {
      authorization: `Bearer ${api.key}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

export type Scene = {
  readonly world: TryVariables;
  readonly operator: Api;
  readonly api: Api;
  /** The first success of a route of this API, whole. */
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the route answers
  readonly answered: (route: string) => any;
};
