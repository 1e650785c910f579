/** What callers do, over HTTP, and keep of what they were answered: operators who raise, clients with endpoints. */
import { products } from "../../src/products/index.ts";
import { hostOf } from "./hosts.ts";
import { type Answer, ask, type Body } from "./http.ts";
import { type Node, OPERATOR_TOKEN } from "./node.ts";
import {
  type FinalDelivery,
  isNearFault,
  KNOWN_MS_MAX,
  type KnownEndpoint,
  type RaisedCall,
  textOrNull,
} from "./observed.ts";
import type { Trackable } from "./sources.ts";
import { FIRST_ACCOUNTS, SENT_PRODUCTS, type Step } from "./story.ts";
import { worldMs } from "./time.ts";
import { type Account, oneAt, see, servingNodes, type World } from "./world.ts";

/** What the products raise; the data has a marker beside its example. */
const PRODUCTS = SENT_PRODUCTS.map((tag) => {
  const { catalogue } = products.find((one) => one.tag === tag)!;
  return { tag, types: catalogue.filter(({ raised, subscribable }) => raised && subscribable) };
});

type Listener = keyof Node["ports"];

async function call(
  world: World,
  node: Node,
  [listener, method, path]: readonly [Listener, string, string],
  token: string,
  body?: unknown,
): Promise<Answer | null> {
  world.counts.calls += 1;
  const askedMs = worldMs();
  const answer = await ask(node.ports[listener], method, path, token, body);
  const shown = answer === null ? "no answer" : `${answer.status} ${JSON.stringify(answer.body)}`;
  world.note(`${method} ${path} at ${node.name}: ${shown}`);
  const isAnswered = !isUnknown(answer);
  const sinceMs = servedSinceMs(world, node, [listener, method, path], token, body);
  if (sinceMs !== null) {
    const what = `${method} ${path} got ${shown} at ${node.name}`;
    world.served.push({ what, sinceMs, askedMs, doneMs: worldMs(), isAnswered });
  }
  if (isAnswered && listener === "api") learn(world, `${node.name} ${token}`, askedMs);
  const isOfSource = path.startsWith("/air/track/");
  if (!isAnswered && !isOfSource && world.faults.length + world.directoryOutages.length === 0)
    world.wrong.push(`${method} ${path} got ${shown} before any fault`);
  if (answer?.status !== 401) return answer;
  if (!world.accounts.some(({ leaving }) => leaving.has(token)))
    world.wrong.push(`${method} ${path} was refused a key that is good`);
  return null;
}

/** Since when the node can serve the call without the directory; null: it may need it. */
function servedSinceMs(
  { accounts, letIn }: World,
  { name }: Node,
  [listener, method, path]: readonly [Listener, string, string],
  token: string,
  body: unknown,
): number | null {
  if (listener === "api") return path.includes("/webhooks") ? (letIn.get(`${name} ${token}`) ?? null) : null;
  if (method !== "POST" || path !== "/v1/events") return null;
  const { events } = body as { readonly events: readonly { readonly account_id: string }[] };
  return accounts.find(({ id }) => id === events[0]!.account_id)!.openedMs;
}

/** A node remembers a key where nothing is wrong, and no right has just changed. */
function learn(
  { letIn, faults, directoryOutages, rightsChangeMs }: World,
  caller: string,
  askedMs: number,
): void {
  if (isNearFault([...faults, ...directoryOutages], askedMs, worldMs())) return;
  if (rightsChangeMs !== null && rightsChangeMs + KNOWN_MS_MAX < askedMs && !letIn.has(caller))
    letIn.set(caller, worldMs());
}

/** Nobody knows what became of the request. */
function isUnknown(answer: Answer | null): answer is null {
  return answer === null || answer.status >= 500;
}

/** A question that is no part of the story. */
export function probe(port: number | undefined, path: string): Promise<Answer | null> {
  return port === undefined ? Promise.resolve(null) : ask(port, "GET", path, OPERATOR_TOKEN);
}

export async function insist(world: World, path: string, method = "GET", body?: unknown): Promise<Body> {
  const answer = await call(world, servingNodes(world)[0]!, ["operator", method, path], OPERATOR_TOKEN, body);
  if (answer === null || answer.status >= 300)
    throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.body;
}

export async function openAccounts(world: World): Promise<void> {
  for (let count = 0; count < FIRST_ACCOUNTS; count++) {
    const account = await openAccount((path, body) => insist(world, path, "POST", body));
    if (account !== null) world.accounts.push(account);
  }
}

/** The newest cell, to accounts, and one there with an endpoint; if something fails, nobody has its keys. */
export async function openOneMore(world: World, node: Node): Promise<void> {
  const post = async (path: string, body?: Body): Promise<Body | null> => {
    const answer = await call(world, node, ["operator", "POST", path], OPERATOR_TOKEN, body);
    return answer !== null && answer.status < 300 ? answer.body : null;
  };
  const hasOpened = await post(`/v1/cells/${world.cells - 1}/open`);
  const account = await openAccount(post);
  if (account === null) return;
  see(world, hasOpened === null ? "open an account" : "open a cell", node);
  await register(world, node, world.accounts.push(account) - 1, 0, false);
}

async function openAccount(
  post: (path: string, body: Body) => Promise<Body | null>,
): Promise<Account | null> {
  const opened = await post("/v1/accounts", { name: "One", entitlements: ["aircargo"] });
  if (opened === null) return null;
  const keys: Account["keys"] = new Map();
  for (const prefix of ["tracking", "schedules"]) {
    const made = await post(`/v1/accounts/${textIn(opened, "id")}/keys`, { prefix });
    if (made === null) return null;
    keys.set(prefix, { id: textIn(made, "id"), text: textIn(made, "key") });
  }
  return { id: textIn(opened, "id"), openedMs: worldMs(), keys, leaving: new Set(), entitlement: [] };
}

function textIn(body: Body, name: string): string {
  return String(body[name]);
}

function keyOf({ keys }: Account, product: string): string {
  return (keys.get(product) ?? keys.get("tracking")!).text;
}

export async function register(
  world: World,
  node: Node,
  account: number,
  product: number,
  isOfOneType: boolean,
): Promise<void> {
  const { tag, types } = PRODUCTS[product]!;
  const owner = account % world.accounts.length;
  const askedMs = worldMs();
  const url = `https://${hostOf(world.endpoints.length)}/${tag}/${world.endpoints.length}/${askedMs.toFixed(3)}`;
  const eventTypes = isOfOneType ? [types[0]!.name] : [];
  const key = keyOf(world.accounts[owner]!, tag);
  const body = { url, event_types: eventTypes };
  world.unanswered.add(url);
  const answer = await call(world, node, ["api", "POST", `/${tag}/v1/webhooks`], key, body);
  if (isUnknown(answer)) return;
  world.unanswered.delete(url);
  if (tag === "air")
    world.entitled.push({ account: owner, askedMs, doneMs: worldMs(), status: answer.status });
  if (tag === "air" && answer.status === 403) return;
  if (answer.status !== 201) return void world.wrong.push(`registering was answered ${answer.status}`);
  see(world, "register", node);
  const data = answer.body["data"] as Body;
  const [id, secret] = [textIn(data, "id"), textIn(data, "secret")];
  world.endpoints.push({
    id,
    secret,
    url,
    account: owner,
    product: tag,
    types: eventTypes,
    askedMs,
    madeMs: worldMs(),
    switches: [],
    descriptions: [],
  });
}

export async function raise(world: World, node: Node, step: Extract<Step, { do: "raise" }>): Promise<void> {
  const { tag, types } = PRODUCTS[step.product]!;
  const type = oneAt(types, step.events)!;
  const account = step.account % world.accounts.length;
  const markers = Array.from({ length: step.events }, (_, index) => `${world.raised.length}-${index}`);
  const events = markers.map((marker) => ({
    product: tag,
    account_id: world.accounts[account]!.id,
    type: type.name,
    data: { ...type.example, marker },
    ...(step.isKeyed ? { dedup_key: marker } : {}),
  }));
  const made: RaisedCall = {
    account,
    product: tag,
    type: type.name,
    markers,
    askedMs: worldMs(),
    outcome: null,
    doneMs: Number.POSITIVE_INFINITY,
  };
  world.raised.push(made);
  if (step.isKeyed) world.keyed.push({ call: made, body: { events } });
  await offer(world, node, made, { events });
}

/** The first answer that says so decides; an event with a key may be offered again. */
export async function offer(world: World, node: Node, made: RaisedCall, body: unknown): Promise<void> {
  const answer = await call(world, node, ["operator", "POST", "/v1/events"], OPERATOR_TOKEN, body);
  if (isUnknown(answer) || made.outcome === "accepted") return;
  made.outcome = answer.status === 202 ? "accepted" : "refused";
  see(world, "raise", node);
  made.doneMs = worldMs();
  if (answer.status !== 202)
    world.wrong.push(`raising was answered ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** Answers that a waybill is tracked though its airline has not answered, or not with a waybill. */
const TRACKED_ALL_THE_SAME: ReadonlySet<unknown> = new Set(["airline_unavailable", "waybill_not_found"]);

/** Null: nobody knows whether it is tracked. */
export async function track(
  world: World,
  node: Node,
  { product, reference, carrier }: Trackable,
): Promise<Body | null> {
  const key = keyOf(world.accounts[0]!, "tracking");
  const asked =
    product === "air"
      ? ([["api", "GET", `/air/track/${reference}`]] as const)
      : ([["api", "POST", "/tracking/v1/containers"], { reference, carrier }] as const);
  const answer = await call(world, node, asked[0], key, asked[1]);
  const code = (answer?.body["error"] as Body | undefined)?.["code"];
  if (isUnknown(answer) && !TRACKED_ALL_THE_SAME.has(code)) return null;
  see(world, "track", node);
  if (answer!.status >= 300 && !TRACKED_ALL_THE_SAME.has(code))
    world.wrong.push(`tracking ${reference} was answered ${answer!.status}`);
  return answer!.body;
}

/** Whether the service shows this status. `tracked`: what `track` was answered. */
export async function hasStatus(
  world: World,
  node: Node,
  { product, reference }: Trackable,
  tracked: Body,
  status: string,
): Promise<boolean> {
  const key = keyOf(world.accounts[0]!, "tracking");
  const path =
    product === "air"
      ? `/air/v1/waybills?awb=${reference}&status=${status}`
      : `/tracking/v1/containers/${textIn(tracked, "id")}`;
  const answer = await call(world, node, ["api", "GET", path], key);
  const data = answer?.body["data"];
  if (Array.isArray(data)) return data.length === 1;
  const { status: shown, last_failure: failure } = (data ?? {}) as Body;
  // A source that did not answer is polled again after growing waits, and the service says so.
  return shown === status || (failure as Body | null)?.["code"] === "unavailable";
}

type EndpointCall = "pause" | "activate" | "describe" | "delete" | "ping" | "read";

const SWITCHES: Partial<Record<EndpointCall, KnownEndpoint["switches"][number]["to"]>> = {
  pause: "paused",
  activate: "active",
  delete: "deleted",
};

export async function callEndpoint(
  world: World,
  node: Node,
  what: EndpointCall,
  endpoint: KnownEndpoint,
): Promise<void> {
  const path = `/${endpoint.product}/v1/webhooks/${endpoint.id}`;
  const askedMs = worldMs();
  const [method, suffix, body] = requestOf(what);
  const made = change(endpoint, what, body?.["description"], askedMs);
  const key = keyOf(world.accounts[endpoint.account]!, endpoint.product);
  const answer = await call(world, node, ["api", method, path + suffix], key, body);
  if (what === "ping" && isUnknown(answer)) world.pingsUnknown.add(endpoint.id);
  if (isUnknown(answer)) return;
  see(world, what, node);
  const doneMs = worldMs();
  const { account, product, id } = endpoint;
  if (what === "ping" && product === "air")
    world.entitled.push({ account, askedMs, doneMs, status: answer.status });
  if (what === "read")
    world.shown.push({ id, askedMs, doneMs, data: answer.body["data"] as Body | undefined });
  if (made !== null && answer.status < 300) made.doneMs = doneMs;
  if (answer.status === 202) world.pings.add(textIn(answer.body["data"] as Body, "id"));
  if (answer.status === 404 && endpoint.switches.every((one) => one.to !== "deleted"))
    world.wrong.push(`${endpoint.id} was not found by ${what}`);
}

/** What the call changes, now that it is asked for; null: nothing that is kept. */
function change(
  { switches, descriptions }: KnownEndpoint,
  what: EndpointCall,
  description: unknown,
  askedMs: number,
): { doneMs: number | null } | null {
  const to = SWITCHES[what];
  if (to !== undefined) return added(switches, { to, askedMs, doneMs: null });
  if (typeof description === "string") return added(descriptions, { to: description, askedMs, doneMs: null });
  return null;
}

function added<One>(all: One[], one: One): One {
  all.push(one);
  return one;
}

function requestOf(what: EndpointCall): readonly [method: string, suffix: string, body?: Body] {
  switch (what) {
    case "pause":
      return ["PATCH", "", { active: false }];
    case "activate":
      return ["PATCH", "", { active: true }];
    case "describe":
      return ["PATCH", "", { description: `at ${worldMs()}` }];
    case "delete":
      return ["DELETE", ""];
    case "ping":
      return ["POST", "/test"];
    case "read":
      return ["GET", ""];
  }
}

/** All pages of a list of the operator's. */
export async function readAll(
  world: World,
  path: string,
  rows: string,
  wanted: Readonly<Record<string, string>> = {},
): Promise<readonly Body[]> {
  const found: Body[] = [];
  for (let cursor: string | null = null; ;) {
    const query = new URLSearchParams({ ...wanted, limit: "100", ...(cursor === null ? {} : { cursor }) });
    const body = await insist(world, `${path}?${query.toString()}`);
    found.push(...(body[rows] as Body[]));
    cursor = (body["next_cursor"] as string | undefined) ?? null;
    if (cursor === null) return found;
  }
}

export async function readDeliveries(world: World): Promise<readonly FinalDelivery[]> {
  const found = await readAll(world, "/v1/deliveries", "deliveries");
  return found.map((one) => ({
    id: String(one["id"]),
    endpointId: String(one["endpoint_id"]),
    eventId: String(one["event_id"]),
    status: String(one["status"]),
    attemptCount: Number(one["attempt_count"]),
    deliveredAt: textOrNull(one["delivered_at"]),
    parkedUntil: textOrNull(one["parked_until"]),
  }));
}
