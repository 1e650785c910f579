/** `boathook airlines check` on replayed airlines: what it finds right and wrong with each entry of the catalogue. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { checkEntry } from "../../../src/freight/source-check/check.ts";
import { AIRLINE_CHECK } from "../../../src/products/air/check/airline-check.ts";
import { systemRandom } from "../../../src/runtime/system-random.ts";
import { silentLog } from "../../support/log.ts";
import { realClock } from "../../support/real-clock.ts";
import { certificates, describeTrusting } from "../../support/trusting.ts";
import { secretOf, TOKEN } from "./documented.ts";
import {
  airlineFor,
  CASES,
  check,
  failureOf,
  results,
  withAirline,
  type Case,
  type ReplayedAirline,
} from "./replayed-airline.ts";

const [FIRST] = CASES as readonly [Case];
const folder = mkdtempSync(join(tmpdir(), "boathook-air-check-"));

describeTrusting("a check of an airline", () => {
  after(() => rmSync(folder, { recursive: true }));

  for (const one of CASES) {
    const { name, entry, documented } = one;
    const { awb, codes, tokenPath, refusal } = documented;
    const needs = Object.keys(entry.signIn[0]!.needs).filter((need) => !need.endsWith("Url"));
    const tokenStep = tokenPath === undefined ? [] : ["token passed"];

    test(`${name}: each step passes, the answer becomes what a poll makes of it, and what is kept the same again`, async () => {
      await withAirline(documented, async ({ url, asked }) => {
        const checked = await check(airlineFor(one, url), { awb, record: folder });
        assert.deepEqual(
          results(checked),
          ["name passed", "tls passed", ...tokenStep, "question passed"],
          JSON.stringify(checked.steps),
        );
        assert.deepEqual(
          checked.outcome?.waybill.events.map(({ code }) => code).toSorted(),
          codes.toSorted(),
        );
        assert.equal(asked.length, 1);
        const text = JSON.stringify(checked) + readFileSync(checked.recorded!, "utf8");
        for (const need of needs) assert.ok(!text.includes(secretOf(need)), `${need} is hidden`);
        assert.ok(!text.includes(TOKEN));
        assert.equal(statSync(checked.recorded!).mode & 0o777, 0o600);

        const recording = AIRLINE_CHECK.file.read!(readFileSync(checked.recorded!, "utf8"));
        assert.ok(typeof recording !== "string", JSON.stringify(recording));
        const { entry: kept, http, atMs } = recording;
        const clock = { ...realClock, nowMs: () => atMs };
        const ports = { http, clock, random: systemRandom(), log: silentLog };
        const again = await checkEntry(ports, AIRLINE_CHECK, kept, { awb }, { isReplay: true });
        assert.deepEqual(results(again), ["question passed"], JSON.stringify(again.steps));
        assert.deepEqual(again.outcome, checked.outcome);
      });
    });

    test(`${name}: without a waybill, a number that nobody has shows whether the credentials are accepted`, async () => {
      await withAirline(documented, async ({ url }) => {
        const checked = await check(airlineFor(one, url));
        assert.deepEqual([checked.passed, checked.outcome], [true, null], JSON.stringify(checked.steps));
        assert.match(checked.steps.at(-1)!.found, /nobody has this number/);
        const known = await check(airlineFor(one, url), {
          awb: checked.awb.replace(/^\d{3}/, awb.slice(0, 3)),
        });
        assert.equal(known.passed, true);
      });
    });

    for (const wrong of needs) {
      test(`${name}: a wrong ${wrong} fails where it is refused, and is not shown`, async () => {
        await withAirline(documented, async ({ url }) => {
          const given = (need: string): string => (need === wrong ? "a-wrong-one-of-mine" : secretOf(need));
          const checked = await check(airlineFor(one, url, given), { awb });
          const failure = failureOf(checked);
          assert.equal(failure?.step, tokenPath === undefined ? "question" : "token");
          assert.match(failure.found, refusal);
          assert.match(failure.advice!, /credentials|refuses the id or the secret/);
          assert.ok(!JSON.stringify(checked).includes("a-wrong-one-of-mine"));
          assert.equal(checked.outcome, null);
        });
      });
    }
  }

  test("a quota that is used up says so, with the wait that the airline asks for", async () => {
    await withAirline(FIRST.documented, async ({ url, asked, fail }) => {
      fail({ status: 429, headers: { "retry-after": "3600" }, body: { message: "quota exceeded" } });
      const failure = failureOf(await check(airlineFor(FIRST, url), { awb: FIRST.documented.awb }));
      assert.match(failure!.found, /^http_429: HTTP 429 /);
      assert.match(failure!.advice!, /^Wait 3600 s, as the airline asks\. The quota is used up/);
      assert.equal(asked.length, 1, "it is not asked again");
    });
  });

  test("an expired certificate ends it before any credential is sent", async () => {
    const work = async ({ url, asked }: ReplayedAirline) => {
      const checked = await check(airlineFor(FIRST, url), { awb: FIRST.documented.awb });
      assert.equal(failureOf(checked)?.step, "tls");
      assert.match(failureOf(checked)!.found, /^CERT_HAS_EXPIRED: /);
      assert.match(failureOf(checked)!.advice!, /^The airline's certificate has expired/);
      assert.deepEqual([checked.steps.at(-1)?.result, asked.length], ["skipped", 0]);
    };
    await withAirline(FIRST.documented, work, certificates.expired);
  });
});
