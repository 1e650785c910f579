import { randomBytes } from "node:crypto";

import type { InjectOptions } from "fastify";
import { Registry } from "prom-client";

import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import type { Listener } from "../../src/http/listener.ts";
import type { PublicPorts, UrlVerdict } from "../../src/http/ports.ts";
import { createPublicServer, type PublicOptions } from "../../src/http/server.ts";
import { createGate, type Gate } from "../../src/operator/gate.ts";
import type { OperatorPorts } from "../../src/operator/ports.ts";
import { createOpsServer } from "../../src/operator/server.ts";
import { airOperatorRoutes } from "../../src/products/air/operator/messages.ts";
import { oceanOperatorRoutes } from "../../src/products/ocean/operator/positions.ts";
import { rateOperatorRoutes } from "../../src/products/rates/operator/routes.ts";
import { scheduleOperatorRoutes } from "../../src/products/schedules/operator/push.ts";
import { products } from "../../src/products/index.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { createDirectoryFeed } from "../../src/store/accounts/directory-feed.ts";
import type { Cell } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { manualClock, type ManualClock } from "./clock.ts";
import { createTestDatabase, productCellsOf, type TestDatabase } from "./database.ts";
import { fakeEngine, type FakeEngine } from "./fake-engine.ts";
import { recordingLog } from "./log.ts";

export const OPERATOR_TOKEN = "operator-token-of-the-tests";

/** Both listeners, as clients and the operator see them. */
export type TestListeners = { readonly api: Listener; readonly ops: Listener };

/** Both listeners on a database of their own, with an engine that delivers nothing. */
export type TestService = TestListeners & {
  readonly engine: FakeEngine;
  readonly clock: ManualClock;
  readonly log: ReturnType<typeof recordingLog>;
  readonly test: TestDatabase;
  /** What the operator's requests pass. */
  readonly gate: Gate;
  /** What `/readyz` says is wrong. */
  notReady: string | null;
  illCells: ReadonlyMap<string, string>;
  /** The database fails with this instead of answering. */
  fault: Error | null;
  close(): Promise<void>;
};

export async function startService(options: Partial<PublicOptions> = {}): Promise<TestService> {
  const test = await createTestDatabase();
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
  const { api, ops } = createListeners(options, {
    database,
    cells: test.cells,
    productCells: test.productCells,
    engine,
    clock,
    log,
    masterKeys: [randomBytes(32)],
    notReady: async () => ({ checks: service.notReady === null ? {} : { test: service.notReady } }),
    illCells: async () => service.illCells,
    gate,
  });
  const service: TestService = {
    api,
    ops,
    engine,
    clock,
    log,
    test,
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
  "cells" | "productCells" | "random" | "checkUrl" | "engine" | "feed"
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
} & Pick<OperatorPorts, "degraded" | "catchUp">;

export function createListeners(options: Partial<PublicOptions>, given: ListenerPorts): TestListeners {
  const cells = given.cells as readonly [Cell, ...Cell[]];
  const feed = given.feed ?? createDirectoryFeed({ ...given, cells });
  const productCells = given.productCells ?? productCellsOf(given.database);
  const ports = { ...given, cells, productCells, feed, random: systemRandom() };
  const settings: PublicOptions = {
    products,
    productRoutes: new Map(),
    hosts: new Map(),
    trustProxy: [],
    requestsPerKeyMax: 100_000,
    requestsPerAddressMax: 100_000,
    ...options,
  };
  const api = createPublicServer(settings, { ...ports, checkUrl });
  const ops = createOpsServer({
    notReady: async () => ({ checks: {} }),
    illCells: async () => new Map(),
    ...ports,
    products: settings.products,
    operatorToken: OPERATOR_TOKEN,
    productRoutes: [
      oceanOperatorRoutes,
      airOperatorRoutes(createReferenceIndex(ports), () => undefined),
      scheduleOperatorRoutes({ feeds: [], ingest: async () => undefined }),
      rateOperatorRoutes(() => undefined),
    ],
    metrics: new Registry(),
  });
  return { api, ops };
}

/** Refuses one host, where the real guard refuses many. */
function checkUrl(url: string): UrlVerdict {
  return url.includes("forbidden.example") ? { ok: false, reason: "it is forbidden" } : { ok: true };
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
