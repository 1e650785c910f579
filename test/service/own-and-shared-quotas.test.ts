/** Quotas of accounts and of several feeds, over the tables of the directory, as the operator sees them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { HttpAnswer } from "../../src/freight/upstream/http.ts";
import { polled } from "../../src/freight/sources/description.ts";
import { readSources } from "../../src/freight/sources/read-sources.ts";
import { createSourceLog } from "../../src/freight/sources/source-log.ts";
import { createQuotaSharing } from "../../src/freight/upstream/quota-share.ts";
import { createUpstream } from "../../src/freight/upstream/upstream.ts";
import { describeSources } from "../../src/products/schedules/described-sources.ts";
import { createFeedClient } from "../../src/products/schedules/sources/feed-client.ts";
import type { PolledFeed } from "../../src/products/schedules/sources/feed-schema.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";

const BUSY = "00000000-0000-7000-8000-00000000000a";
const RETRY_S = 120;

describe("quotas of accounts and feeds", () => {
  let stored: TestDatabase;
  let clock: ManualClock;
  before(async () => {
    stored = await createTestDatabase();
    clock = manualClock();
  });
  after(() => stored.drop());

  const cells = () => stored.cells as readonly [(typeof stored.cells)[number]];
  const share = () =>
    createQuotaSharing({
      ...{ database: stored.database, cells: cells(), clock },
      ...{ random: systemRandom(), log: silentLog },
    });
  const answer = (status: number): HttpAnswer => ({
    kind: "answered",
    status,
    header: (name) => (name === "retry-after" ? String(RETRY_S) : null),
    body: "[]",
  });
  const read = (described: Parameters<typeof readSources>[1]) =>
    readSources({ database: stored.database, cells: cells(), clock }, described);

  test("a pause of one account's key is learned by its requests on another node, and the source does not wait", async () => {
    const { database } = stored;
    const log = createSourceLog({ database, cells: cells(), clock, log: silentLog, loops: unwatchedLoops });
    let refused = 0;
    const join = () =>
      createUpstream(
        "ocean HRNL",
        { accounts: { [BUSY]: { headers: { "x-api-key": "busy" } } }, quota: { perMinute: 600 } },
        {
          async http(_, { headers }) {
            if (headers["x-api-key"] !== "busy") return answer(200);
            refused += 1;
            return answer(429);
          },
          ...{ clock, random: { fraction: () => 1 }, shareQuota: share() },
          onUpstreamAnswer: log.onUpstreamAnswer,
        },
      );
    const ask = async (node: ReturnType<typeof join>, account?: string) => {
      const headers = { "x-api-key": account === undefined ? "shared" : "busy" };
      const options = { headers, timeoutMs: 1_000, bodyBytesMax: 10, ...(account && { account }) };
      const { kind } = await node.get(new URL("https://heron.example/"), options);
      return kind;
    };
    const [one, other] = [join(), join()];
    assert.equal(await ask(one, BUSY), "answered");
    const paused = `select from ${stored.cells[0]!.directory}.upstream_pauses`;
    await clock.atOnce(
      async () => (await query(stored.address, paused)).rows.length > 0,
      "the pause is written",
    );
    // A node reads pauses with the tokens that it draws.
    await ask(other);
    await clock.advance(1_000);
    assert.equal(await ask(other, BUSY), "refused");
    assert.equal(refused, 1, "only the node that asked was refused by the carrier");
    assert.deepEqual(
      [await ask(one), await ask(other), await ask(one, BUSY)],
      ["answered", "answered", "refused"],
    );
    await log.stop();
    const channels = [polled("ocean HRNL", "Track & Trace", { perMinute: 600 })];
    const source = { id: "carrier-hrnl", kind: "carrier", title: "HRNL", channels, queues: [] } as const;
    const [heron] = await read([{ product: "tracking", sources: [source] }]);
    assert.deepEqual([heron!.waits, heron!.state], [null, "well"]);
  });

  test("feeds with one quota show the same use of it, and wait together", async () => {
    const feed = (name: string, key: string): PolledFeed => ({
      ...{ name, carrier: "HRNL", kind: "ovs-service-schedules", headers: { "x-api-key": key } },
      ...{ url: "https://heron.example/schedules", quota: { perDay: 1_000 } },
    });
    const feeds = [feed("ports", "a"), feed("services", "a"), feed("other", "b")];
    const client = createFeedClient({
      ...{ feeds, clock, random: { fraction: () => 1 }, shareQuota: share() },
      http: async () => answer(429),
    });
    await client.fetchFeed(feeds[1]!, clock.nowMs());
    const described = describeSources({ schedulesFile: { kind: "entries", entries: feeds } });
    const seen = () => read([{ product: "schedules", sources: described.sources }]);
    await clock.atOnce(async () => (await seen())[0]!.waits !== null, "the pause is written");
    const found = (await seen()).map(({ title, waits, channels }) => [
      title.split(" ")[0],
      waits?.reason ?? null,
      channels[0]!.quota[0]!.used > 0,
    ]);
    assert.deepEqual(found, [
      ["ports", "paused", true],
      ["services", "paused", true],
      ["other", null, false],
    ]);
  });
});
