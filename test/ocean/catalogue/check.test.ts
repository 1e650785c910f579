/** `boathook carriers check` on replayed carriers: what it finds right and wrong with each entry of the catalogue. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import { check, failureOf, referenceOf, results, withCarrier } from "./checking.ts";
import { certificates, describeTrusting } from "../../support/trusting.ts";
import { secretOf } from "./given.ts";
import { carrierFor, casesOf, type Case } from "./replayed-carrier.ts";
import { longVoyage } from "./voyage.ts";

const folder = mkdtempSync(join(tmpdir(), "boathook-check-"));

const OF_TOKEN = ["clientId", "clientSecret", "scope"];

function isForToken({ documented: { token } }: Case, need: string): boolean {
  return token !== undefined && [...OF_TOKEN, ...Object.values(token.headers ?? {})].includes(need);
}

describeTrusting("a check of an entry", () => {
  after(() => rmSync(folder, { recursive: true }));

  for (const one of casesOf()) {
    const { name, documented, signIn } = one;
    const needs = Object.keys(signIn.needs).filter((need) => !/(?:Url|File)$/.test(need));
    const tokenStep = documented.token === undefined ? [] : ["token passed"];

    test(`${name}: each step passes, and the answer becomes what a poll would make of it`, async () => {
      await withCarrier(one, async (server) => {
        const checked = await check(carrierFor(one, server.url), referenceOf(one), folder);
        assert.deepEqual(
          results(checked),
          ["name passed", "tls passed", ...tokenStep, "question passed"],
          JSON.stringify(checked.steps),
        );
        assert.equal(checked.passed, true);
        assert.equal(checked.outcome?.shipment.status, "in_transit");
        assert.ok(checked.outcome.raised.some(({ type }) => type === "vessel_departed"));
        assert.equal(checked.outcome.shipment.discharge?.unlocode, "NLRTM");
        const pages = documented.pageEvents === null ? 1 : Math.ceil(6 / documented.pageEvents);
        assert.equal(server.asked.length, pages, "every page is asked for once");
        const text = JSON.stringify(checked) + readFileSync(checked.recorded!, "utf8");
        for (const need of needs) {
          if (need !== "scope") assert.ok(!text.includes(secretOf(need)), `${need} is hidden`);
        }
        assert.ok(!text.includes("token-that-nobody-may-read"));
      });
    });

    test(`${name}: a kept answer can be replayed`, async () => {
      const recording = (await readRecordings(folder)).find(
        ({ name: kept }) => kept === `${one.entry.scac}-${referenceOf(one).text}`,
      );
      assert.ok(recording);
      assert.ok(recording.events.length >= 6);
      const { mode } = statSync(join(folder, `${one.entry.scac}-${referenceOf(one).text}.json`));
      assert.equal(mode & 0o777, 0o600);
    });

    test(`${name}: without a reference, a number that nobody has shows whether the credentials are accepted`, async () => {
      await withCarrier(one, async (server) => {
        const checked = await check(carrierFor(one, server.url), null);
        assert.deepEqual([checked.passed, checked.outcome], [true, null], JSON.stringify(checked.steps));
        assert.match(checked.steps.at(-1)!.found, /^HTTP 404 .*nobody has this number/);
      });
    });

    for (const wrong of needs) {
      test(`${name}: a wrong ${wrong} fails where the carrier refuses it, and is not shown`, async () => {
        await withCarrier(one, async (server) => {
          const given = (need: string): string => (need === wrong ? "a-wrong-one-of-mine" : secretOf(need));
          const checked = await check(carrierFor(one, server.url, given), referenceOf(one));
          const failure = failureOf(checked);
          assert.equal(checked.passed, false);
          assert.equal(failure?.step, isForToken(one, wrong) ? "token" : "question");
          assert.match(failure.found, /^HTTP 40[013] \{/);
          assert.match(failure.advice!, /credentials|refuses the id or the secret/);
          assert.ok(!JSON.stringify(checked).includes("a-wrong-one-of-mine"));
          assert.equal(checked.outcome, null);
        });
      });
    }

    test(`${name}: a daily quota that is used up says so, with the wait that the carrier asks for`, async () => {
      await withCarrier(one, async (server) => {
        server.fail("quota");
        const failure = failureOf(await check(carrierFor(one, server.url), referenceOf(one)));
        assert.match(failure!.found, /^http_429: HTTP 429 /);
        assert.match(failure!.advice!, /^Wait 3600 s, as the carrier asks\. The quota is used up/);
        assert.equal(server.asked.length, 1, "it is not asked again");
      });
    });

    test(`${name}: an answer that lacks a page or its end is none`, async () => {
      await withCarrier(one, async (server) => {
        server.fail("cut");
        const checked = await check(carrierFor(one, server.url), referenceOf(one));
        assert.match(
          failureOf(checked)!.found,
          documented.pageEvents === null ? /^not_events|^not_json/ : /^http_500/,
        );
        assert.equal(checked.outcome, null);
      });
    });

    if (documented.cutsAt !== undefined) {
      test(`${name}: an answer as long as the carrier's limit is asked for in parts`, async () => {
        await withCarrier(one, async (server) => {
          server.state(longVoyage(Date.now(), documented.cutsAt! - 4));
          const checked = await check(carrierFor(one, server.url), referenceOf(one));
          assert.equal(checked.outcome?.events, documented.cutsAt! + 2, JSON.stringify(checked.steps));
          assert.ok(server.asked.length > 2);
          assert.equal(checked.outcome.shipment.status, "in_transit");
        });
      });
    }

    test(`${name}: an expired certificate ends it before any credential is sent`, async () => {
      await withCarrier(
        one,
        async (server) => {
          const checked = await check(carrierFor(one, server.url), referenceOf(one));
          const failure = failureOf(checked);
          assert.equal(failure?.step, "tls");
          assert.match(failure.found, /^CERT_HAS_EXPIRED: TLSv1\.\d, certificate of .*, valid until \d{4}-/);
          assert.match(failure.advice!, /^The carrier's certificate has expired/);
          assert.deepEqual(checked.steps.at(-1)?.result, "skipped");
          assert.equal(server.asked.length, 0);
        },
        certificates.expired,
      );
    });
  }
});
