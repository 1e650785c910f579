/** One account's long queue of polls, and the other accounts behind it. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { POLLER_DEFAULTS, type Poller } from "../../src/freight/polling/poller.ts";
import { createPoller } from "../../src/products/ocean/sources/poll-shipment.ts";
import { recheck, startTracking } from "../../src/products/ocean/tracking/track.ts";
import { sleep } from "../../src/runtime/sleep.ts";
import { answered, openHarbour, type Harbour } from "./harbour.ts";
import { HERON, TERN } from "./shipping-lines.ts";

const FLOOD = 150;
const FEW = 5 * POLLER_DEFAULTS.slotsPerSource;
const HOUR_MS = 3_600_000;
const SETTINGS = { ...POLLER_DEFAULTS, gatherMs: 0 };
/** How long the carriers take for each answer. */
const ANSWER_MS = 1_000;

describe("turns of accounts", () => {
  let harbour: Harbour;
  let poller: Poller;
  /** References in the order in which carriers were first asked for them. */
  let asked: string[];
  beforeEach(async () => {
    harbour = await openHarbour([HERON, TERN]);
    asked = [];
    harbour.answer = async (url) => {
      const reference = [...url.searchParams.values()].find((value) => /^[A-Z]{3,4}\d+/.test(value))!;
      asked.push(reference);
      await sleep(harbour.clock, ANSWER_MS);
      return answered(404, "");
    };
    poller = createPoller(harbour.ports, harbour.stored.cells, SETTINGS);
  });
  afterEach(async () => {
    const stopped = poller.stop();
    await harbour.clock.advance(SETTINGS.stopMsMax);
    await stopped;
    await harbour.stored.drop();
  });

  async function track(accountId: string, reference: string): Promise<string> {
    const ports = { ...harbour.ports, wake: poller.wake };
    const started = await startTracking(ports, harbour.cell, { accountId, reference });
    assert.ok(started.kind === "tracked");
    return started.shipment.id;
  }

  /** Counts the references for which carriers are asked before a new one of another account. */
  async function askedBefore(reference: string): Promise<number> {
    const before = asked.length;
    const isBusy = () => asked.length >= before + POLLER_DEFAULTS.slotsPerSource;
    await harbour.clock.until(isBusy, "the flood is polled");
    const from = asked.length;
    await track(await harbour.account(), reference);
    await harbour.clock.until(() => asked.includes(reference, from), "the other account's poll");
    return new Set(asked.slice(from, asked.indexOf(reference, from))).size;
  }

  test("many references of one account that no carrier knows, and their rechecks, delay another account's by a few polls", async () => {
    const accountId = await harbour.account();
    const ids: string[] = [];
    for (let nth = 0; nth < FLOOD; nth += 1) ids.push(await track(accountId, `EBKG${10_000_000 + nth}`));
    poller.start();
    const first = await askedBefore("EBKG90000001");
    assert.ok(first <= FEW, `${first} references of the other account`);
    await harbour.clock.until(() => new Set(asked).size > FLOOD, "all are polled");
    await harbour.clock.rest();
    for (const id of ids) await recheck(harbour.ports, harbour.cell, accountId, id);
    poller.wake(harbour.cell);
    const again = await askedBefore("EBKG90000002");
    assert.ok(again <= FEW, `${again} references of the other account`);
  });

  test("an account with as many unresolved references as it may have starts no other, and goes on when one is answered", async () => {
    const [accountId, other] = [await harbour.account(), await harbour.account()];
    const ports = { ...harbour.ports, unresolvedMax: 2, wake: poller.wake };
    const start = async (account: string, reference: string) => {
      const started = await startTracking(ports, harbour.cell, { accountId: account, reference });
      return started.kind === "tracked" ? started.created : started.code;
    };
    assert.equal(await start(accountId, "EBKG10000001"), true);
    assert.equal(await start(accountId, "EBKG10000002"), true);
    assert.equal(await start(accountId, "EBKG10000003"), "REFERENCE_LIMIT");
    assert.equal(await start(accountId, "EBKG10000002"), false, "what it tracks already");
    assert.equal(await start(other, "EBKG10000003"), true, "another account");
    await harbour.stored.queryIn(
      harbour.cell,
      "update cell.shipments set status = 'pre_departure', carrier = 'HRNL', record = '{}' where reference = 'EBKG10000001'",
    );
    assert.equal(await start(accountId, "EBKG10000003"), true);
    harbour.clock.jump(15 * 24 * HOUR_MS);
    assert.equal(await start(accountId, "EBKG10000004"), true, "old ones count no more");
  });
});
