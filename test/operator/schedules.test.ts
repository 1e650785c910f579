/** `POST /v1/schedules/{feed}` (docs/schedules.md): pushed schedules are accepted, and errors in them are reported. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";

import { Registry } from "prom-client";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { OperatorPorts } from "../../src/operator/ports.ts";
import { createOpsServer } from "../../src/operator/server.ts";
import type { FeedUpdate } from "../../src/products/schedules/calls/call-statement.ts";
import { scheduleOperatorRoutes } from "../../src/products/schedules/operator/push.ts";
import type { Feed } from "../../src/products/schedules/sources/feed-schema.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Database } from "../../src/store/database.ts";
import { ovsService, transportCall } from "../schedules/sources/answers.ts";
import { assertRefused } from "../support/answers.ts";
import { manualClock, START_MS } from "../support/clock.ts";
import { fakeEngine } from "../support/fake-engine.ts";
import { recordingLog } from "../support/log.ts";
import { OPERATOR_TOKEN, send } from "../support/service.ts";

const FEEDS: readonly Feed[] = [
  { name: "heron", carrier: "HRNL", kind: "ovs-service-schedules", secret: "the-heron-secret" },
  { name: "tern", carrier: "TERN", kind: "cs-port-schedules" },
];

describe("schedules that are pushed", () => {
  const taken: FeedUpdate[] = [];
  let fault: Error | null = null;
  const ports: OperatorPorts = {
    // Nothing here is asked of the store: what is taken goes to `ingest`.
    database: {} as Database,
    cells: [{ schema: "none" }] as unknown as OperatorPorts["cells"],
    productCells: { all: [] } as unknown as OperatorPorts["productCells"],
    parkedMs: 0,
    historyMs: 0,
    engine: fakeEngine(),
    products: [],
    clock: manualClock(),
    random: systemRandom(),
    log: recordingLog(),
    operatorToken: OPERATOR_TOKEN,
    metrics: new Registry(),
    notReady: async () => ({ checks: {} }),
    illCells: async () => new Map(),
  };
  const ingest = async (update: FeedUpdate) => {
    if (fault !== null) throw fault;
    taken.push(update);
  };
  const ops = createOpsServer({
    ...ports,
    productRoutes: [scheduleOperatorRoutes({ feeds: FEEDS, ingest })],
  });
  const without = createOpsServer({
    ...ports,
    productRoutes: [scheduleOperatorRoutes({ feeds: [], ingest })],
  });
  after(() => Promise.all([ops.close(), without.close()]));

  const push = async (
    feed: string,
    body: unknown,
    {
      query = "",
      token = OPERATOR_TOKEN,
      app = ops,
    }: { query?: string; token?: string; app?: typeof ops } = {},
  ) => {
    taken.length = 0;
    return send(app, {
      method: "POST",
      url: `/v1/schedules/${feed}${query}`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload: JSON.stringify(body),
    });
  };
  const service = (...ports_: readonly string[]) => [
    ovsService(
      "FE1",
      ports_.map((port) => transportCall(port)),
    ),
  ];

  test("a push is ingested before the answer, and is complete about nothing", async () => {
    const { status, body } = await push("heron", service("NLRTM", "DEHAM"));
    assert.deepEqual([status, body], [202, { accepted: 2, complete: false, problems: [] }]);
    const [update] = taken;
    assert.deepEqual([update?.feed, update?.atMs, update?.complete], ["heron", START_MS, null]);
    assert.deepEqual(
      update?.calls.map(({ carrier, port }) => [carrier, port]),
      [
        ["HRNL", "NLRTM"],
        ["HRNL", "DEHAM"],
      ],
    );
  });

  test("it is complete about what the query says, with its time", async () => {
    const query = "?complete=true&service=FE1&from=2026-11-02T00:00:00Z&to=2026-12-02T00:00:00%2B01:00";
    const { status, body } = await push("heron", service("NLRTM"), { query });
    assert.deepEqual([status, body.complete], [202, true]);
    assert.deepEqual(taken[0]?.complete, {
      carrier: "HRNL",
      service: "FE1",
      port: null,
      fromMs: Date.parse("2026-11-02T00:00:00Z"),
      toMs: Date.parse("2026-12-01T23:00:00Z"),
    });
    const empty = await push("heron", [], { query });
    assert.deepEqual([empty.status, empty.body.accepted, taken[0]?.complete?.service], [202, 0, "FE1"]);
  });

  test("with a part left out it is complete about nothing, and the part is reported by its path", async () => {
    const query = "?complete=true&from=2026-11-02T00:00:00Z&to=2026-12-02T00:00:00Z";
    const { status, body } = await push("heron", service("NLRTM", "NOWHERE"), { query });
    assert.deepEqual([status, body.accepted, body.complete, taken[0]?.complete], [202, 1, false, null]);
    assert.deepEqual(body.problems, [
      {
        path: "$[0].vesselSchedules[0].transportCalls[1].location.UNLocationCode",
        message: '"NOWHERE" is no UN/LOCODE, such as NLRTM',
      },
    ]);
  });

  test("a body with nothing usable is refused, and the message says why", async () => {
    for (const [feed, body, said] of [
      [
        "heron",
        { hello: 1 },
        /^the body is no list of service schedules, as ovs-service-schedules answers with$/,
      ],
      [
        "heron",
        service("NOWHERE"),
        /^nothing of the body can be taken: \$\[0\]\.vesselSchedules.* is no UN\/LOCODE/,
      ],
      [
        "tern",
        service("NLRTM"),
        /^nothing of the body can be taken: \$\[0\]\.location lacks UNLocationCode$/,
      ],
    ] as const) {
      const answer = await push(feed, body);
      assert.deepEqual([answer.status, answer.body.error.code, taken], [400, "INVALID_REQUEST", []]);
      assert.match(answer.body.error.message, said);
    }
  });

  test("a query that cannot be meant is refused", async () => {
    for (const [query, said] of [
      ["?complete=true", /^complete=true needs from and to, each an RFC 3339 date-time/],
      ["?complete=true&from=2026-11-02&to=2026-12-02", /^complete=true needs from and to/],
      ["?complete=true&from=2026-12-02T00:00:00Z&to=2026-11-02T00:00:00Z", /^to must be later than from$/],
      ["?complete=yes", /^query\.complete must be one of true, false$/],
      ["?port=Rotterdam", /^query\.port .*a UN\/LOCODE$/],
      ["?ports=NLRTM", /^query has no ports: it takes complete, service, port, from and to$/],
      ["?service=FE1&port=NLRTM", /^either service or port: /],
    ] as const) {
      const { status, body } = await push("heron", service("NLRTM"), { query });
      assert.deepEqual([status, taken], [400, []], query);
      assert.match(body.error.message, said);
    }
  });

  test("a feed's own secret opens that feed and nothing else", async () => {
    const token = "the-heron-secret";
    assert.equal((await push("heron", service("NLRTM"), { token })).status, 202);
    assert.equal((await push("tern", [], { token })).status, 401);
    assert.equal((await push("unknown", [], { token })).status, 401);
    const wrong = await push("heron", service("NLRTM"), { token: "another-secret-here" });
    assert.equal(wrong.status, 401);
    assert.match(wrong.body.error.message, /is not the operator's token or the feed's secret$/);
    const accounts = await send(ops, { url: "/v1/accounts", headers: { authorization: `Bearer ${token}` } });
    assert.equal(accounts.status, 401);
    assert.doesNotMatch(accounts.body.error.message, /secret/);
  });

  test("an unknown feed, and a service without feeds, get another error than a wrong token", async () => {
    for (const answer of [
      await push("unknown", service("NLRTM")),
      await push("heron", service("NLRTM"), { app: without }),
    ]) {
      assertRefused(answer, 404, "NOT_FOUND");
    }
  });

  test("while the store is away nothing is accepted", async () => {
    fault = new StoreUnavailable("the database is away");
    const { status } = await push("heron", service("NLRTM"));
    fault = null;
    assert.equal(status, 503);
  });

  test("what is larger than a body may be is refused", async () => {
    const { status } = await push("heron", [{ padding: "x".repeat(8 * 1024 * 1024) }]);
    assert.equal(status, 413);
  });
});
