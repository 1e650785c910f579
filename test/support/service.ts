import { randomBytes } from "node:crypto";

import type { InjectOptions } from "fastify";
import { Registry } from "prom-client";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import type { MasterKeys } from "../../src/engine/secret.ts";
import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import type { Listener } from "../../src/http/listener.ts";
import type { PublicPorts, UrlVerdict } from "../../src/http/ports.ts";
import { createPublicServer, type PublicOptions } from "../../src/http/server.ts";
import { accountProductsRoute } from "../../src/operator/account-products.ts";
import { createGate, type Gate } from "../../src/operator/gate.ts";
import type { OperatorPorts } from "../../src/operator/ports.ts";
import { portalLinksRoute } from "../../src/operator/portal-links.ts";
import { createOpsServer } from "../../src/operator/server.ts";
import { broadcastRoutes } from "../../src/freight/broadcasts/routes.ts";
import { sourceRoutes } from "../../src/freight/sources/routes.ts";
import { airOperatorRoutes } from "../../src/products/air/operator/messages.ts";
import { scheduleOperatorRoutes } from "../../src/products/schedules/operator/push.ts";
import type { Product } from "../../src/model/product.ts";
import { products } from "../../src/products/index.ts";
import { HOUR_MS } from "../../src/runtime/durations.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { createDirectoryFeed, type DirectoryFeed } from "../../src/store/accounts/directory-feed.ts";
import type { Cell } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { manualClock, type ManualClock } from "./clock.ts";
import { createTestDatabase, productCellsOf, type TestDatabase } from "./database.ts";
import { fakeEngine, type FakeEngine } from "./fake-engine.ts";
import { recordingLog } from "./log.ts";

export const OPERATOR_TOKEN = "operator-token-of-the-tests";

/** Of a node whose directory answers: it remembers keys. */
export const FRESH_FEED: DirectoryFeed = {
  number: () => 1,
  isFresh: () => true,
  isSilent: () => false,
  readAtMs: () => 0,
  subscribe: () => undefined,
  read: async () => undefined,
  forget: () => undefined,
  follow: () => ({ start: () => undefined, stop: async () => undefined, wake: () => undefined }),
};

/** For which nothing has to run. There are no files. */
const OF_PRODUCTS = await Promise.all(
  products.map(async ({ operatorRoutes }) => (await operatorRoutes?.(async () => ({}))) ?? {}),
);

export const PORTAL: PublicOptions["portal"] = {
  sessionMs: HOUR_MS,
  frameAncestors: [],
  name: null,
  color: null,
};

/** Both listeners, as clients and the operator see them. */
export type TestListeners = { readonly api: Listener; readonly ops: Listener };

/** Both listeners on a database of their own, with an engine that delivers nothing. */
export type TestService = TestListeners & {
  readonly engine: FakeEngine;
  readonly clock: ManualClock;
  readonly log: ReturnType<typeof recordingLog>;
  readonly test: TestDatabase;
  readonly masterKeys: MasterKeys;
  /** What the operator's requests pass. */
  readonly gate: Gate;
  /** What `/readyz` says is wrong. */
  notReady: string | null;
  illCells: ReadonlyMap<string, string>;
  /** The database fails with this instead of answering. */
  fault: Error | null;
  close(): Promise<void>;
};

export async function startService(
  options: Partial<PublicOptions> = {},
  { cells = 2, ...given }: Pick<ListenerPorts, "feed" | "opsHosts"> & { readonly cells?: number } = {},
): Promise<TestService> {
  const test = await createTestDatabase({ cells });
  const engine = fakeEngine();
  const clock = manualClock();
  const log = recordingLog();
  const database: Database = {
    ...test.database,
    async rows(statement, parameters) {
      if (service.fault !== null) throw service.fault;
      return test.database.rows(statement, parameters);
    },
  };
  const gate = createGate(clock);
  const masterKeys: MasterKeys = [randomBytes(32)];
  const { api, ops } = createListeners(options, {
    database,
    cells: test.cells,
    productCells: test.productCells,
    engine,
    clock,
    log,
    masterKeys,
    notReady: async () => ({ checks: service.notReady === null ? {} : { test: service.notReady } }),
    illCells: async () => service.illCells,
    gate,
    ...given,
  });
  const service: TestService = {
    api,
    ops,
    engine,
    clock,
    log,
    test,
    masterKeys,
    gate,
    notReady: null,
    illCells: new Map(),
    fault: null,
    async close() {
      await api.close();
      await ops.close();
      await test.drop();
    },
  };
  return service;
}

export type ListenerPorts = Omit<
  PublicPorts,
  "cells" | "productCells" | "random" | "checkUrl" | "engine" | "feed" | "parkedMs"
> & {
  /** By default one that is never read: every key is looked up. */
  readonly feed?: PublicPorts["feed"];
  readonly cells: readonly Cell[];
  /** By default one of each. */
  readonly productCells?: PublicPorts["productCells"];
  readonly engine: PublicPorts["engine"] & OperatorPorts["engine"];
  readonly notReady?: OperatorPorts["notReady"];
  readonly illCells?: OperatorPorts["illCells"];
  readonly gate?: Gate;
} & Pick<OperatorPorts, "opsHosts">;

export function createListeners(options: Partial<PublicOptions>, given: ListenerPorts): TestListeners {
  const cells = given.cells as readonly [Cell, ...Cell[]];
  const feed = given.feed ?? createDirectoryFeed({ ...given, cells });
  const productCells = given.productCells ?? productCellsOf();
  const ports = {
    ...given,
    cells,
    productCells,
    feed,
    random: systemRandom(),
    parkedMs: DEFAULT_ENGINE_SETTINGS.parkedMs,
    historyMs: DEFAULT_ENGINE_SETTINGS.historyMs,
  };
  const settings: PublicOptions = {
    products,
    productRoutes: new Map(),
    hosts: new Map(),
    trustProxy: [],
    connectionsMax: 1_000,
    connectionsPerAddressMax: 1_000,
    requestsPerKeyMax: 100_000,
    requestsPerAddressMax: 100_000,
    portal: PORTAL,
    ...options,
  };
  const portalUrl = (tag: string) => `http://api.example/${tag}/portal`;
  const linking = { ...ports, products: settings.products, masterKeys: () => given.masterKeys, portalUrl };
  const api = createPublicServer(settings, { ...ports, checkUrl });
  const ops = createOpsServer({
    notReady: async () => ({ checks: {} }),
    illCells: async () => new Map(),
    ...ports,
    products: settings.products,
    operatorToken: OPERATOR_TOKEN,
    productRoutes: [
      ...OF_PRODUCTS,
      airOperatorRoutes(createReferenceIndex(ports), () => undefined),
      scheduleOperatorRoutes({ feeds: [], ingest: async () => undefined }),
      { guarded: [accountProductsRoute(settings, { ...ports, checkUrl }), portalLinksRoute(linking)] },
      sourceRoutes(async () => []),
      broadcastRoutes,
    ],
    metrics: new Registry(),
  });
  return { api, ops };
}

/** Refuses one host, where the real guard refuses many. */
function checkUrl(url: string): UrlVerdict {
  return url.includes("forbidden.example")
    ? { ok: false, reason: "it is forbidden", blocked: true }
    : { ok: true };
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
};

/** Sends a request and reads the JSON of its answer. */
export async function send(app: Listener, request: InjectOptions): Promise<Answer> {
  const { statusCode: status, headers, payload } = await app.inject(request);
  const isJson = String(headers["content-type"]).startsWith("application/json");
  return { status, headers, body: isJson ? JSON.parse(payload) : payload };
}

/** A request of the operator's. */
export function sendAsOperator(
  service: TestListeners,
  method: Method,
  url: string,
  payload?: object | string,
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${OPERATOR_TOKEN}`,
    ...(payload === undefined ? {} : { "content-type": "application/json" }),
  };
  return send(service.ops, { method, url, headers, ...(payload === undefined ? {} : { payload }) });
}

/** A new account with one key. */
export async function createCaller(
  service: TestListeners,
  prefix: string,
  entitlements: readonly string[] = [],
): Promise<{ readonly accountId: string; readonly key: string; readonly keyId: string }> {
  const account = await sendAsOperator(service, "POST", "/v1/accounts", { name: "Acme", entitlements });
  const key = await sendAsOperator(service, "POST", `/v1/accounts/${account.body.id}/keys`, { prefix });
  return { accountId: account.body.id, key: key.body.key, keyId: key.body.id };
}

/** A request with a key. */
export function sendWithKey(
  service: TestListeners,
  key: string,
  method: Method,
  url: string,
  payload?: object | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const type = payload === undefined ? {} : { "content-type": "application/json" };
  return send(service.api, {
    method,
    url,
    headers: { authorization: `Bearer ${key}`, ...type, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
}

/** A caller of a product, and its requests below `/v1`. */
export async function createClient(
  service: TestListeners,
  { tag, keyPrefixes, entitlement }: Pick<Product, "tag" | "keyPrefixes" | "entitlement">,
) {
  const caller = await createCaller(service, keyPrefixes[0]!, entitlement === null ? [] : [entitlement]);
  const request = (method: Method, path: string, body?: object | string) =>
    sendWithKey(service, caller.key, method, `/${tag}/v1${path}`, body);
  const register = async (body: object = {}) =>
    (await request("POST", "/webhooks", { url: "https://example.com/hook", ...body })).body.data;
  return { ...caller, request, register };
}
