/** Outside sources as the operator sees them: what all nodes have seen of each, its quota and its polls. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Compile } from "typebox/compile";

import { pushed, polled, type SourceDescription } from "../../src/freight/sources/description.ts";
import { readSources } from "../../src/freight/sources/read-sources.ts";
import { createSourceLog } from "../../src/freight/sources/source-log.ts";
import { createQuotaSharing } from "../../src/freight/upstream/quota-share.ts";
import { createUpstream, type UpstreamAnswer } from "../../src/freight/upstream/upstream.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { manualClock, START_MS, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { silentLog, recordingLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { sourceRoutes } from "../../src/freight/sources/routes.ts";
import { products } from "../../src/products/index.ts";
import { readConfiguration } from "../../src/runtime/configuration.ts";
import { readConfigFiles } from "../../src/service/config-files.ts";
import { describeSources } from "../../src/service/products.ts";

const NAME = "ocean HRNL";

const answered = (status: number): UpstreamAnswer => ({
  kind: "answered",
  status,
  header: () => null,
  body: "",
});
const refused = (reason: "quota" | "breaker_open", retryAfterMs: number): UpstreamAnswer => ({
  kind: "refused",
  reason,
  retryAfterMs,
});

describe("what sources answer", () => {
  let stored: TestDatabase;
  let clock: ManualClock;
  before(async () => {
    stored = await createTestDatabase({ cells: 2 });
    clock = manualClock();
  });
  after(() => stored.drop());

  const cells = () => stored.cells as readonly [(typeof stored.cells)[number]];
  const openLog = (database = stored.database) => {
    const log = createSourceLog({ database, cells: cells(), clock, log: silentLog, loops: unwatchedLoops });
    log.start();
    return log;
  };
  const written = (isSo: () => Promise<boolean>) => clock.until(isSo, "it is written");
  const HERON: SourceDescription = {
    id: "carrier-hrnl",
    kind: "carrier",
    title: "Heron Line (HRNL)",
    queues: ["HRNL"],
    channels: [polled(NAME, "Track & Trace", { perMinute: 60 }), pushed(`${NAME} callbacks`, "Callbacks")],
  };
  const described = [{ product: "tracking", sources: [HERON] }];
  const read = async () =>
    (await readSources({ database: stored.database, cells: cells(), clock }, described))[0]!;

  test("a source that nobody has asked is listed, and silent", async () => {
    const source = await read();
    assert.deepEqual(
      [source.state, source.last, source.waits, source.polls.next_at, source.skipped],
      ["silent", null, null, null, 0],
    );
  });

  test("the latest answer of all nodes stays, and their counts add up", async () => {
    const [one, other] = [openLog(), openLog()];
    one.onUpstreamAnswer(NAME, answered(200), "MSCU1000038");
    one.onUpstreamAnswer(NAME, answered(404), "MSCU9999999");
    await clock.advance(1_000);
    other.onUpstreamAnswer(NAME, { kind: "failed", reason: "timeout" }, "HRNL123");
    // Stops in an order that writes the older last.
    await other.stop();
    await one.stop();
    const source = await read();
    const [api] = source.channels;
    assert.deepEqual([api!.requests, api!.failures], [3, 1]);
    assert.deepEqual(api!.last, {
      at: new Date(START_MS + 1_000).toISOString(),
      subject: "HRNL123",
      outcome: "timeout",
      text: "It did not answer in time.",
    });
    assert.equal(api!.answered_at, new Date(START_MS).toISOString());
    assert.deepEqual([source.state, api!.failure?.code], ["failing", "timeout"]);
  });

  test("that it is not asked for a while is said with the reason, until it answers again", async () => {
    const log = openLog();
    log.onUpstreamAnswer(NAME, refused("breaker_open", 3_600_000), null);
    await written(async () => (await read()).state === "waiting");
    const waiting = await read();
    assert.deepEqual([waiting.state, waiting.waits?.reason], ["waiting", "breaker_open"]);
    assert.match(waiting.waits!.text, /failed several times in a row/);
    log.onUpstreamAnswer(NAME, answered(200), "MSCU1000038");
    await written(async () => (await read()).state === "well");
    assert.equal((await read()).waits, null);
    await log.stop();
    assert.equal(clock.pending(), 0);
  });

  test("a quota says how much of it all nodes have used, and a pause that the source asked for holds for all", async () => {
    const log = openLog();
    const shareQuota = createQuotaSharing({
      database: stored.database,
      cells: cells(),
      clock,
      random: systemRandom(),
      log: silentLog,
    });
    let status = 200;
    const upstream = createUpstream(
      NAME,
      { quota: { perMinute: 60 } },
      {
        http: async () => ({
          kind: "answered",
          status,
          header: (name) => (name === "retry-after" ? "120" : null),
          body: "",
        }),
        clock,
        random: { fraction: () => 0.5 },
        shareQuota,
        onUpstreamAnswer: log.onUpstreamAnswer,
      },
    );
    const ask = () =>
      upstream.get(new URL("https://heron.example/"), { headers: {}, timeoutMs: 1_000, bodyBytesMax: 10 });
    for (let times = 0; times < 3; times += 1) assert.equal((await ask()).kind, "answered");
    const [api] = (await read()).channels;
    const [minute] = api!.quota;
    assert.deepEqual([minute!.per, minute!.limit, minute!.is_shared], ["minute", 60, false]);
    assert.ok(minute!.used >= 3 && minute!.used <= 60, String(minute!.used));
    status = 429;
    await ask();
    await clock.atOnce(async () => (await read()).waits?.reason === "paused", "the pause is written");
    assert.equal((await read()).state, "waiting");
    await log.stop();
  });

  test("what of answers could not be read is counted by reason, without the values, and with an example", async () => {
    const log = openLog();
    log.onUpstreamSkipped(NAME, "MSCU1000038", [
      'eventDateTime "2026-13-01" is no time',
      'eventDateTime "x" is no time',
    ]);
    log.onPushed(`${NAME} callbacks`, { subject: null, isRead: false, problems: ["the body is not JSON\0"] });
    await written(async () => (await read()).skipped === 3);
    log.onUpstreamSkipped(NAME, "MSCU1000043", ['eventDateTime "y" is no time']);
    await log.stop();
    const source = await read();
    assert.equal(source.skipped, 4);
    assert.deepEqual(
      source.channels.map(({ skipped }) =>
        skipped.map(({ reason, count, example }) => [reason, count, example]),
      ),
      [
        [["eventDateTime … is no time", 3, 'MSCU1000043: eventDateTime "y" is no time']],
        [["the body is not JSON", 1, "the body is not JSON"]],
      ],
    );
    assert.equal(source.channels[1]!.last?.outcome, "unreadable");
  });

  test("a source that gives a new reason each time fills no table", async () => {
    const log = openLog();
    // Reasons are kept without digits and quoted values.
    const word = (place: number): string =>
      String(place).replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)]!);
    for (let from = 0; from < 400; from += 100) {
      const reasons = Array.from({ length: 100 }, (_, nth) => `strange ${word(from + nth)}`);
      log.onUpstreamSkipped(NAME, null, reasons);
      const known = (await read()).skipped;
      await written(async () => (await read()).skipped > known);
    }
    await log.stop();
    const rows = await stored.queryIn(
      { ...stored.cells[0]!, schema: "boathook" },
      `select count(*)::integer as rows, sum(count)::integer as skipped from "boathook".source_skips where source = $1`,
      [NAME],
    );
    assert.deepEqual(rows.rows, [{ rows: 102, skipped: 403 }]);
  });

  test("nothing is lost while the directory does not answer", async () => {
    const known = (await read()).channels[0]!.requests;
    let [isAway, failed] = [true, 0];
    const log = openLog({
      ...stored.database,
      async rows(...asked) {
        failed += Number(isAway);
        if (isAway) throw new StoreUnavailable("away", { commitUnknown: false });
        return stored.database.rows(...asked);
      },
    });
    log.onUpstreamAnswer(NAME, answered(200), "one");
    await written(async () => failed > 0);
    log.onUpstreamAnswer(NAME, answered(200), "two");
    isAway = false;
    await log.stop();
    const [api] = (await read()).channels;
    assert.deepEqual([api!.requests, api!.last?.subject], [known + 2, "two"]);
  });

  test("its polls are counted over all cells, with why they fail", async () => {
    const [first, last] = [stored.cells[0]!, stored.cells.at(-1)!];
    for (const [cell, at, failure] of [
      [first, START_MS - 60_000, "unavailable_http_503"],
      [last, START_MS + 3_600_000, null],
    ] as const)
      await stored.queryIn(
        cell,
        `with account as (insert into cell.accounts (id) values (gen_random_uuid()) returning id),
         shipment as (
           insert into cell.shipments (id, account_id, reference, status, created_at)
           select gen_random_uuid(), id, 'MSCU1000038', 'pending', now() from account returning id
         )
         insert into cell.polls (shipment_id, source, next_poll_at, failure, failures)
         select id, 'HRNL', $1, $2, case when $2::text is null then 0 else 1 end from shipment`,
        [new Date(at), failure],
      );
    assert.deepEqual((await read()).polls, {
      scheduled: 2,
      due: 1,
      next_at: new Date(clock.nowMs()).toISOString(),
      failures: [{ failure: "unavailable_http_503", text: "It failed on its own side.", polls: 1 }],
    });
  });
});

describe("the sources of all products", () => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-sources-"));
  after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };

  async function describedBy(environment: Readonly<Record<string, string>>) {
    const configured = readConfiguration(environment, products);
    if (configured.kind === "invalid") assert.fail(configured.message);
    return describeSources(products, await readConfigFiles(configured.settings, products));
  }

  test("are there, polled and pushed, with no secret of their entries", async () => {
    const described = await describedBy({
      BOATHOOK_CARRIERS_FILE: file("carriers.json", [
        {
          scac: "HRNL",
          name: "Heron Line",
          api: "dcsa-tnt-2.2",
          baseUrl: "https://heron.example",
          headers: { "x-key": "sesame" },
          callbackSecrets: [Buffer.alloc(16).toString("base64")],
          portCalls: { baseUrl: "https://heron.example/calls", quota: { perDay: 9 } },
        },
      ]),
      BOATHOOK_AIS_FILE: file("ais.json", {
        name: "Lookout",
        url: "https://ais.example/{imo}?key=sesame",
        fields: { status: "status", at: "at" },
      }),
      BOATHOOK_AIRLINES_FILE: file("airlines.json", [
        {
          name: "Falcon",
          iata: "F8",
          prefixes: ["176", "901"],
          sources: [{ kind: "one-record", objectUrl: "https://falcon.example/{awb}" }, { kind: "push" }],
        },
      ]),
      BOATHOOK_SCHEDULES_FILE: file("schedules.json", [
        {
          name: "heron-east",
          carrier: "HRNL",
          kind: "cs-vessel-schedules",
          url: "https://heron.example/cs",
          ports: ["NLRTM"],
          secret: "sesame-sesame-sesame",
        },
        { name: "heron-west", carrier: "HRNL", kind: "cs-vessel-schedules" },
      ]),
    });
    const listed = described.flatMap(({ product, sources }) =>
      sources.map(({ id, channels }) => [product, id, channels.map(({ name }) => name)]),
    );
    assert.deepEqual(listed, [
      ["tracking", "carrier-hrnl", ["ocean HRNL", "ocean HRNL port calls", "ocean HRNL callbacks"]],
      ["tracking", "vessels", ["ais Lookout", "vessel positions"]],
      ["tracking", "imported-milestones", ["imported milestones"]],
      ["air", "airline-f8-176", ["air F8 one-record 1", "air messages"]],
      ["air", "air-messages", ["air messages"]],
      ["schedules", "schedules-heron-east", ["schedules heron-east", "schedules heron-east pushes"]],
      ["schedules", "schedules-heron-west", ["schedules heron-west pushes"]],
      ["rates", "rates", ["rates", "exchange rates"]],
    ]);
    assert.ok(!JSON.stringify(described).includes("sesame"));
    assert.equal(new Set(listed.map(([, id]) => id)).size, listed.length);
  });

  test("answer as their schema says", async () => {
    const stored = await createTestDatabase();
    const described = await describedBy({});
    const log = recordingLog();
    const clock = manualClock();
    const cells = stored.cells as readonly [(typeof stored.cells)[number]];
    const note = createSourceLog({ database: stored.database, cells, clock, log, loops: unwatchedLoops });
    note.onPushed("rates", { subject: "3 lines", isRead: true, problems: ["line 2: no price"] });
    await note.stop();
    const schemas: object[] = [];
    const app = {
      get: (_path: string, { schema }: { readonly schema: { readonly response: object } }) =>
        schemas.push((schema.response as Readonly<Record<number, object>>)[200]!),
    };
    for (const route of sourceRoutes(async () => described).guarded!) route(app as never, {} as never);
    const sources = await readSources({ database: stored.database, cells, clock }, described);
    const check = Compile(closed(schemas[0]!) as object);
    assert.ok(check.Check({ sources }), JSON.stringify(check.Errors({ sources })));
    assert.ok(!check.Check({ sources: [{ ...sources[0]!, more: 1 }] }));
    assert.equal(sources.find(({ id }) => id === "rates")!.channels[0]!.last?.subject, "3 lines");
    await stored.drop();
  });
});

/** No field that is not described. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return "properties" in schema ? { ...inside, additionalProperties: false } : inside;
}
