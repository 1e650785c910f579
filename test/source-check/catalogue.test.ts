/** What a check finds right and wrong with each entry of the catalogues, on servers that behave as documented. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { readRecordings } from "../../packages/simulator/src/replay/server.ts";
import type { CheckedKind, CheckOptions } from "../../src/freight/source-check/check.ts";
import { AIRLINE_CHECK } from "../../src/products/air/check/airline-check.ts";
import { CARRIER_CHECK } from "../../src/products/ocean/check/carrier-check.ts";
import { FEED_CHECK } from "../../src/products/schedules/check/feed-check.ts";
import * as air from "../air/catalogue/cases.ts";
import * as ocean from "../ocean/catalogue/cases.ts";
import { longVoyage, sailed } from "../ocean/catalogue/voyage.ts";
import * as schedules from "../schedules/catalogue/cases.ts";
import { describeTrusting } from "../support/trusting.ts";
import { secretOf } from "./given.ts";
import {
  check,
  checkAgain,
  failureOf,
  results,
  TOKEN,
  withSource,
  type Replayed,
  type Server,
} from "./replayed.ts";

const folder = mkdtempSync(join(tmpdir(), "boathook-check-"));

type Given = (need: string) => string;

/** An entry, or one of several that a catalogue's becomes. */
type Checked = {
  check(about: "known" | "nobodys", options?: CheckOptions): ReturnType<typeof check>;
  /** What a kept file becomes again. */
  again: ((text: string) => ReturnType<typeof check>) | null;
  /** What the answer has to become. */
  judge(outcome: never, asked: Server["asked"]): void;
};

type Case = {
  readonly name: string;
  /** Secrets alone. */
  readonly needs: readonly string[];
  /** What the token endpoint refuses; null: there is none. */
  readonly ofToken: readonly string[] | null;
  readonly replayed: Replayed;
  readonly refused: RegExp;
  readonly hasNobodys: boolean;
  readonly checkedAt: (url: string, given?: Given) => readonly Checked[];
};

const isSecret = (need: string): boolean => !/(?:Url|File)$/.test(need);

function checked<Entry, About, Answer, Outcome, Who extends object>(
  kind: CheckedKind<Entry, About, Answer, Outcome, Who>,
  entry: Entry,
  about: { readonly known: About; readonly nobodys: About },
  judge: (outcome: Outcome, asked: Server["asked"]) => void,
  nowMs?: number,
): Checked {
  const at = nowMs === undefined ? {} : { nowMs };
  return {
    check: (which, options = {}) => check(kind, entry, about[which], { ...options, ...at }),
    again: kind.file.read === null ? null : (text) => checkAgain(kind, text),
    judge,
  };
}

const CARRIERS: readonly Case[] = ocean.casesOf().map((one) => {
  const { documented, signIn } = one;
  const { token, pageEvents } = documented;
  const ofHeaders = Object.values(token?.headers ?? {});
  return {
    name: one.name,
    needs: Object.keys(signIn.needs).filter(isSecret),
    ofToken: token === undefined ? null : ["clientId", "clientSecret", "scope", ...ofHeaders],
    replayed: ocean.replayed(one, sailed(Date.now())),
    refused: /^HTTP 40[013] \{/,
    hasNobodys: true,
    checkedAt: (url, given) => [
      checked(
        CARRIER_CHECK,
        ocean.carrierFor(one, url, given),
        { known: ocean.askedOf(one), nobodys: ocean.NOBODYS },
        ({ shipment, raised }, asked) => {
          assert.equal(shipment.status, "in_transit");
          assert.ok(raised.some(({ type }) => type === "vessel_departed"));
          assert.equal(shipment.discharge?.unlocode, "NLRTM");
          const pages = pageEvents === null ? 1 : Math.ceil(6 / pageEvents);
          assert.equal(asked.length, pages, "every page is asked for once");
        },
      ),
    ],
  };
});

const AIRLINES: readonly Case[] = air.CASES.map((one) => {
  const { documented, entry } = one;
  const { awb, codes, token, refused } = documented;
  const needs = Object.keys(entry.signIn[0]!.needs).filter(isSecret);
  return {
    ...{ name: one.name, needs, ofToken: token === undefined ? null : needs, replayed: documented },
    ...{ refused, hasNobodys: true },
    checkedAt: (url, given) => [
      checked(
        AIRLINE_CHECK,
        air.airlineFor(one, url, given),
        { known: { awb }, nobodys: { awb: null } },
        ({ waybill }, asked) => {
          assert.deepEqual(waybill.events.map(({ code }) => code).toSorted(), codes.toSorted());
          assert.equal(asked.length, 1);
        },
        air.NOW_MS,
      ),
    ],
  };
});

const FEEDS: readonly Case[] = schedules.CASES.map((one) => {
  const { name, scac, documented } = one;
  const needs = one.needs.filter(isSecret);
  return {
    ...{ name: `${name} schedules`, needs, ofToken: documented.token === undefined ? null : needs },
    ...{ replayed: schedules.replayed(one), refused: /^HTTP 40[01] /, hasNobodys: false },
    checkedAt: (url, given) =>
      schedules.feedsFor(one, url, given).map((feed) =>
        checked(FEED_CHECK, feed, { known: {}, nobodys: {} }, ({ calls, connections, skipped }, asked) => {
          assert.ok(calls.length > 0 && calls.every(({ carrier }) => carrier === scac));
          assert.deepEqual([connections, skipped], [feed.kind === "cs-point-to-point" ? 1 : 0, []]);
          const its = asked.filter(({ url: at }) => schedules.kindOf(documented, at) === feed.kind);
          // One service alone, on two pages; and the second page and both vessels of a way are read.
          const isOfVessels = feed.kind === "cs-vessel-schedules";
          assert.equal(its.length, isOfVessels ? 2 : 1);
          const voyages = new Set(calls.map(({ voyage }) => voyage.export));
          const stated = { "cs-vessel-schedules": ["613E", "614E"], "cs-point-to-point": ["700W", "701W"] };
          for (const voyage of stated[feed.kind as keyof typeof stated] ?? []) assert.ok(voyages.has(voyage));
        }),
      ),
  };
});

describeTrusting("a check of an entry of the catalogue", () => {
  after(() => rmSync(folder, { recursive: true }));

  for (const { name, needs, ofToken, replayed, refused, hasNobodys, checkedAt } of [
    ...CARRIERS,
    ...AIRLINES,
    ...FEEDS,
  ]) {
    const token = ofToken === null ? [] : ["token passed"];

    test(`${name}: each step passes, the answer becomes what a poll makes of it, and what is kept the same again`, async () => {
      await withSource(replayed, async ({ url, asked }) => {
        for (const one of checkedAt(url)) {
          const record = mkdtempSync(join(folder, "kept-"));
          const its = await one.check("known", { record });
          const all = ["name passed", "tls passed", ...token, "question passed"];
          assert.deepEqual(results(its), all, JSON.stringify(its.steps));
          assert.equal(its.passed, true);
          one.judge(its.outcome as never, asked);
          const text = readFileSync(its.recorded!, "utf8");
          for (const secret of [TOKEN, ...needs.filter((need) => need !== "scope").map(secretOf)])
            assert.ok(!(JSON.stringify(its) + text).includes(secret), `${secret} is hidden`);
          assert.equal(statSync(its.recorded!).mode & 0o777, 0o600);
          if (one.again === null) {
            const [recording] = await readRecordings(record);
            assert.ok(recording!.events.length >= 6);
            continue;
          }
          const again = await one.again(text);
          assert.deepEqual(results(again), ["question passed"], JSON.stringify(again.steps));
          assert.deepEqual(again.outcome, its.outcome);
        }
      });
    });

    if (hasNobodys)
      test(`${name}: a number that nobody has shows whether the credentials are accepted`, async () => {
        await withSource(replayed, async ({ url }) => {
          const its = await checkedAt(url)[0]!.check("nobodys");
          assert.deepEqual([its.passed, its.outcome], [true, null], JSON.stringify(its.steps));
          assert.match(its.steps.at(-1)!.found, /nobody has this number/);
        });
      });

    for (const wrong of needs) {
      test(`${name}: a wrong ${wrong} fails where it is refused, and is not shown`, async () => {
        await withSource(replayed, async ({ url }) => {
          const given: Given = (need) => (need === wrong ? "a-wrong-one-of-mine" : secretOf(need));
          const its = await checkedAt(url, given)[0]!.check("known");
          const failure = failureOf(its);
          assert.equal(failure?.step, ofToken?.includes(wrong) === true ? "token" : "question");
          assert.match(failure.found, refused);
          assert.match(failure.advice!, /credentials|refuses the id or the secret/);
          assert.ok(!JSON.stringify(its).includes("a-wrong-one-of-mine"));
          assert.equal(its.outcome, null);
        });
      });
    }
  }

  for (const one of ocean.casesOf()) {
    const { name, documented } = one;
    const { pageEvents, cutsAt } = documented;

    test(`${name}: an answer that lacks a page or its end is none`, async () => {
      await withSource(ocean.replayed(one, sailed(Date.now()), true), async ({ url }) => {
        const its = await check(CARRIER_CHECK, ocean.carrierFor(one, url), ocean.askedOf(one));
        assert.match(failureOf(its)!.found, pageEvents === null ? /^not_json/ : /^http_500/);
        assert.equal(its.outcome, null);
      });
    });

    if (cutsAt === undefined) continue;
    test(`${name}: an answer as long as the carrier's limit is asked for in parts`, async () => {
      const long = ocean.replayed(one, longVoyage(Date.now(), cutsAt - 4));
      await withSource(long, async ({ url, asked }) => {
        const { outcome, steps } = await check(CARRIER_CHECK, ocean.carrierFor(one, url), ocean.askedOf(one));
        assert.equal(outcome?.events, cutsAt + 2, JSON.stringify(steps));
        assert.ok(asked.length > 2);
        assert.equal(outcome.shipment.status, "in_transit");
      });
    });
  }
});
