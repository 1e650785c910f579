/** `boathook schedules check` on replayed carriers: what it finds right and wrong with each entry of the catalogue. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { shippedCatalogue } from "../../../src/freight/source-catalogue/carriers.ts";
import { FEED_CHECK } from "../../../src/products/schedules/check/feed-check.ts";
import { isPolled, type PolledFeed } from "../../../src/products/schedules/sources/feed-schema.ts";
import { readFeeds } from "../../../src/products/schedules/sources/feeds-file.ts";
import { describeTrusting } from "../../support/trusting.ts";
import { DOCUMENTED } from "../catalogue/documented.ts";
import { givenFor, replayedSchedules } from "../catalogue/replayed-schedules.ts";
import { check, checkAgain, results, withCarrier } from "./checked-feed.ts";

const folder = mkdtempSync(join(tmpdir(), "boathook-schedules-check-"));

const CASES = shippedCatalogue().flatMap(({ scac, schedules }) =>
  (schedules?.signIn ?? []).map(({ kind, needs }, _, all) => ({
    name: all.length === 1 ? scac : `${scac} ${kind}`,
    scac,
    needs: Object.keys(needs),
  })),
);
type Case = (typeof CASES)[number];

const ASKS = { services: ["FE1", "FE2"], ports: ["NLRTM"], pairs: [{ from: "CNSHA", to: "NLRTM" }] };

/** What a user would write, but for where the servers are. */
function feedsFor({ scac, needs }: Case, url: string, wrong: string | null = null): readonly PolledFeed[] {
  const given = needs.map((need) => [need, need === wrong ? "a-wrong-one-of-mine" : givenFor(need)]);
  const read = readFeeds(JSON.stringify([{ carrier: scac, ...Object.fromEntries(given), ...ASKS }]));
  assert.ok(read.kind === "entries", JSON.stringify(read));
  const onLoopback = (address: string): string => address.replace(/^https:\//, url);
  return read.entries.filter(isPolled).map((feed) => ({
    ...feed,
    url: onLoopback(feed.url),
    ...(feed.oauth && { oauth: { ...feed.oauth, tokenUrl: onLoopback(feed.oauth.tokenUrl) } }),
  }));
}

describeTrusting("a check of a carrier's feeds", () => {
  after(() => rmSync(folder, { recursive: true }));

  for (const one of CASES) {
    const { name, needs } = one;
    const documented = DOCUMENTED[name]!;
    const secrets = needs.filter((need) => !/File|Url$/.test(need));
    const token = documented.token === undefined ? [] : ["token passed"];

    test(`${name}: each step passes, and kept answers become the same again, without the network`, async () => {
      const asked: string[] = [];
      await withCarrier(replayedSchedules(documented, asked), async (url) => {
        const feeds = feedsFor(one, url);
        const voyages = new Set<string | null>();
        for (const feed of feeds) {
          const checked = await check(feed, { record: folder });
          assert.deepEqual(
            results(checked),
            ["name passed", "tls passed", ...token, "question passed"],
            JSON.stringify(checked.steps),
          );
          const { calls, connections, skipped } = checked.outcome!;
          assert.ok(calls.length > 0 && calls.every(({ carrier }) => carrier === one.scac));
          for (const { voyage } of calls) voyages.add(voyage.export);
          assert.deepEqual([connections, skipped], [feed.kind === "cs-point-to-point" ? 1 : 0, []]);
          const text = readFileSync(checked.recorded!, "utf8");
          for (const need of secrets) {
            assert.ok(!(JSON.stringify(checked) + text).includes(givenFor(need)), `${need} is hidden`);
          }
          assert.equal(statSync(checked.recorded!).mode & 0o777, 0o600);

          const recording = FEED_CHECK.file.read!(text);
          assert.ok(typeof recording !== "string", JSON.stringify(recording));
          const again = await checkAgain(recording);
          assert.deepEqual(results(again), ["question passed"], JSON.stringify(again.steps));
          assert.deepEqual(again.outcome, checked.outcome);
        }
        assert.deepEqual(new Set(asked), new Set(feeds.map(({ kind }) => kind)));
        // FE1 alone, on two pages; and the second page and both vessels of a way are read.
        assert.equal(asked.filter((kind) => kind === "cs-vessel-schedules").length, 2);
        for (const voyage of ["613E", "614E", "700W", "701W"]) assert.ok(voyages.has(voyage), voyage);
      });
    });

    for (const wrong of secrets) {
      test(`${name}: a wrong ${wrong} fails where it is refused, and is not shown`, async () => {
        await withCarrier(replayedSchedules(documented, []), async (url) => {
          const checked = await check(feedsFor(one, url, wrong)[0]!);
          const failure = checked.steps.find(({ result }) => result === "failed");
          assert.equal(failure?.step, documented.token === undefined ? "question" : "token");
          assert.match(failure.advice!, /credentials|refuses the id or the secret/);
          assert.ok(!JSON.stringify(checked).includes("a-wrong-one-of-mine"));
          assert.equal(checked.outcome, null);
        });
      });
    }
  }
});
