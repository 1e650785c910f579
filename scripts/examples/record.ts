/**
 * Asks a running world every route of every API, and keeps what it was asked and answered.
 *
 *     events raised ─▶ operator ─▶ each product: what makes goes first, what removes last ─▶ refusals ─▶ no secrets
 */
import { setTimeout as sleep } from "node:timers/promises";

import { Compile } from "typebox/schema";

import type { KeptExamples, KeptRoute } from "../../src/http/openapi/examples.ts";
import { products } from "../../src/products/index.ts";
import { ask, readApi, send, type Answer, type Api, type Request, type Route, type Scene } from "./api.ts";
import { BY_HAND } from "./by-hand.ts";
import { cut, lengthOf, parsed } from "./cut.ts";
import { codesOf, messageOf } from "./refusals.ts";
import { OF_OPERATOR, OF_PRODUCTS, valueOf } from "./requests.ts";
import { withoutSecrets } from "./stable.ts";
import type { TryVariables } from "./try-world.ts";

export type Recorded = {
  /** By the name of the API. */
  readonly examples: ReadonlyMap<string, KeptExamples>;
  /** Answers that their schema does not allow, or that show nothing. */
  readonly problems: readonly string[];
};

const KEYS: Readonly<Record<string, "SCHEDULES_KEY" | "LOADING_KEY">> = {
  schedules: "SCHEDULES_KEY",
  loading: "LOADING_KEY",
};

export async function recordExamples(world: TryVariables): Promise<Recorded> {
  const operator = await readApi("operator", world.OPS, world.TOKEN, world.TOKEN);
  const poor = await ask<{ id: string }>(operator, "POST", "/v1/accounts", { name: "Acme Trading" });
  const apis: Api[] = [operator];
  for (const { tag, keyPrefixes, catalogue } of products) {
    const minted = await ask<{ key: string }>(operator, "POST", `/v1/accounts/${poor.id}/keys`, {
      prefix: keyPrefixes[0]!,
    });
    const [type] = catalogue;
    const event = { product: tag, account_id: world.ACCOUNT, type: type!.name, data: type!.example };
    await ask(operator, "POST", "/v1/events", { events: [event, event] });
    apis.push(await readApi(tag, `${world.API}/${tag}`, world[KEYS[tag] ?? "KEY"], minted.key));
  }
  const examples = new Map<string, KeptExamples>();
  const problems: string[] = [];
  for (const api of apis) {
    const kept = withoutSecrets(await recordApi({ world, operator, api }, problems), world);
    examples.set(api.name, withByHand(kept, BY_HAND[api.name]));
  }
  return { examples, problems };
}

/** What makes goes first, what removes last. */
const ORDER = ["POST", "PUT", "PATCH", "GET", "DELETE"];

async function recordApi(
  { api, ...scene }: Omit<Scene, "answered">,
  problems: string[],
): Promise<KeptExamples> {
  const isOperator = api.name === "operator";
  const requests = isOperator ? OF_OPERATOR : OF_PRODUCTS;
  const placeOf = ({ name, method }: Route) =>
    isOperator ? Object.keys(requests).indexOf(name) : ORDER.indexOf(method);
  const whole = new Map<string, unknown>();
  const answered = (name: string) => {
    if (!whole.has(name)) throw new Error(`${name} was not answered yet`);
    return whole.get(name);
  };
  const full: Scene = { ...scene, api, answered };
  const kept: Record<string, KeptRoute> = {};
  const asked = new Map<Route, Request>();
  for (const route of api.routes.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    const { texts = {}, ...own } = (await requests[route.name]?.(full)) ?? {};
    const request = { ...own, parameters: { ...requiredOf(full, route), ...own.parameters } };
    asked.set(route, request);
    const { answers, optional } = await answersOf(full, route, request, problems, whole);
    for (const [type, body] of Object.entries(texts)) await succeed(full, route, { ...request, body, type });
    const parameters = { ...optional, ...request.parameters };
    const bodies = own.body === undefined ? {} : { "application/json": own.body, ...texts };
    kept[route.name] = {
      ...(Object.keys(parameters).length > 0 && { parameters }),
      ...(Object.keys(bodies).length > 0 && { bodies }),
      answers,
    };
  }
  return withRefusals(full, asked, kept);
}

/** Those in headers as well: the newest version shows the most. */
function requiredOf(scene: Scene, route: Route): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    (route.parameters ?? [])
      .filter((one) => one.required === true || one.in === "header")
      .map((one) => [one.name, valueOf(scene, route.operationId, one)])
      .filter(([, value]) => value !== undefined),
  );
}

/** Of the request as it is, and with each parameter that it may have, the answers that show the most, by status. */
async function answersOf(
  scene: Scene,
  route: Route,
  request: Request,
  problems: string[],
  whole: Map<string, unknown>,
) {
  const optional = (route.parameters ?? [])
    .filter((one) => one.in === "query" && request.parameters?.[one.name] === undefined)
    .map((one) => [one.name, valueOf(scene, route.operationId, one)] as const)
    .filter(([, value]) => value !== undefined);
  const queries: Readonly<Record<string, unknown>>[] =
    route.method === "GET" ? optional.map((one) => pairOf(one, optional)) : [];
  // For the cursor of a next page.
  if (queries.length > 0 && optional.some(([name]) => name === "limit")) queries.push({ limit: 1 });
  const first = await untilShown(scene, route, request, problems);
  whole.set(route.name, parsed(first.text));
  const isDone = Object.keys(route.responses).filter((status) => status < "300").length === 1;
  const others = isDone || route.method === "DELETE" ? [] : [{}];
  const answers: Answer[] = [first];
  for (const query of [...queries, ...others])
    answers.push(
      await succeed(scene, route, { ...request, parameters: { ...request.parameters, ...query } }),
    );
  const shown: Record<string, unknown> = {};
  for (const { status, text } of answers) {
    const problem = text === "" ? null : schemaProblem(scene.api, route, status, text);
    if (problem !== null) problems.push(problem);
    if (text === "") continue;
    const answer = cut(route, text);
    if (lengthOf(answer) > lengthOf(shown[status])) shown[status] = answer;
  }
  return { answers: shown, optional: Object.fromEntries(optional) };
}

/** The last day of a period counts from its first. */
function pairOf([name, value]: readonly [string, unknown], all: readonly (readonly [string, unknown])[]) {
  return { [name]: value, ...(name === "to" && { from: new Map(all).get("from") }) };
}

async function succeed(scene: Scene, route: Route, request: Request): Promise<Answer> {
  const answer = await send(scene.api, route, request);
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new Error(
    `${scene.api.name} ${route.name} ${JSON.stringify(request)}: ${answer.status} ${answer.text}`,
  );
}

const SHOWN_MS_MAX = 40_000;
const SHOWN_INTERVAL_MS = 500;

/** What is read may come about in a moment, and so may the next page of what is asked with a limit. */
async function untilShown(scene: Scene, route: Route, request: Request, problems: string[]): Promise<Answer> {
  for (let waitedMs = 0; ; waitedMs += SHOWN_INTERVAL_MS) {
    const answer = await succeed(scene, route, request);
    const isShown = BY_HAND[scene.api.name]?.routes[route.name] !== undefined;
    const isPage = request.parameters?.["limit"] === undefined || answer.text.includes('"next_cursor":"');
    if (route.method !== "GET" || isShown || (isPage && showsAll(parsed(answer.text)))) return answer;
    if (waitedMs >= SHOWN_MS_MAX) {
      problems.push(`${scene.api.name} ${route.name} shows nothing: ${answer.text.slice(0, 200)}`);
      return answer;
    }
    await sleep(SHOWN_INTERVAL_MS);
  }
}

/** Lists hold something, and what is to be delivered or polled has been. */
function showsAll(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null) return true;
  const { data, status } = answer as { readonly data?: unknown; readonly status?: unknown };
  if (Array.isArray(data) && data.length === 0) return false;
  if (status === "pending" || (data as { readonly status?: unknown } | undefined)?.status === "pending")
    return false;
  const lists = Object.values(answer).filter((one) => Array.isArray(one));
  return Object.keys(answer).length > 2 || lists.length === 0 || lists.some((list) => list.length > 0);
}

function schemaProblem({ name, schemas }: Api, route: Route, status: number, text: string): string | null {
  const media = Object.entries(route.responses[status]?.content ?? {})[0];
  // Of the operator's, some are described by what is kept of them alone.
  if (media === undefined)
    return name === "operator" ? null : `${name} ${route.name} ${status} is not in the document`;
  const [type, { schema = {} }] = media as [string, { readonly schema?: object }];
  if (type !== "application/json") return null;
  const inDefinitions = (of: object) =>
    JSON.parse(JSON.stringify(of).replaceAll("#/components/schemas/", "#/$defs/")) as object;
  const [fits, errors] = Compile({ ...inDefinitions(schema), $defs: inDefinitions(schemas) }).Errors(
    JSON.parse(text),
  );
  return fits ? null : `${name} ${route.name} ${status}: ${JSON.stringify(errors[0])}`;
}

/** What most routes say of a code stands once. */
async function withRefusals(
  scene: Scene,
  asked: ReadonlyMap<Route, Request>,
  kept: Readonly<Record<string, KeptRoute>>,
): Promise<KeptExamples> {
  const refusals: Record<string, string> = {};
  const routes: Record<string, KeptRoute> = {};
  for (const route of scene.api.routes) {
    const own: Record<string, string> = {};
    for (const code of codesOf(route)) {
      const message = await messageOf(scene, route, code, asked.get(route)!);
      if (message !== null && message !== (refusals[code] ??= message)) own[code] = message;
    }
    routes[route.name] = { ...kept[route.name], ...(Object.keys(own).length > 0 && { refusals: own }) };
  }
  return { refusals, routes };
}

function withByHand(
  recorded: KeptExamples,
  byHand: KeptExamples = { refusals: {}, routes: {} },
): KeptExamples {
  const routes = { ...recorded.routes };
  for (const [name, { answers }] of Object.entries(byHand.routes))
    routes[name] = { ...routes[name], answers: { ...routes[name]?.answers, ...answers } };
  return { refusals: { ...byHand.refusals, ...recorded.refusals }, routes };
}
