/** Where pushed air messages are stored and read while there are several cells, and while one is gone. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import {
  pushedStatementsOf,
  storeMessages,
  type PushedMessages,
  MESSAGES_KEPT_MS,
} from "../../src/products/air/sources/pushed-messages.ts";
import { wakeWaybills } from "../../src/products/air/polling/poller.ts";
import { createAwbTracking, TRACK_DEFAULTS } from "../../src/products/air/tracking/track.ts";
import { readAirlines } from "../../src/products/air/sources/airlines/airlines-file.ts";
import { awbOf } from "../../src/freight/references/awb.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cell } from "../../src/store/cell.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { awbIn, CELLS, useScene } from "./scene.ts";
import { createRetention } from "../../src/freight/work/retention.ts";
import { airMessagePrune } from "../../src/products/air/store/air-messages.sql.ts";

const random = systemRandom();
const [IN_FIRST, IN_SECOND] = [awbIn("176", 0), awbIn("176", 1)];
const arrival = (awb: string, time = "1230") =>
  `FSU/14\r\n176-${awb.slice(3)}DXBFRA/T10K250\r\nRCF/EK045/01NOV${time}/FRA/T10K250\r\n`;
/** Of two waybills, each with another time than in the message of its own. */
const BOTH = `${arrival(IN_SECOND, "1240")}${arrival(IN_FIRST, "1240")}`;
const [first, second] = CELLS as readonly [Cell, Cell];

describe("pushed air messages in several cells", () => {
  const scene = useScene();
  beforeEach(() => scene.reindex());

  const push = (...texts: readonly string[]): Promise<PushedMessages> =>
    storeMessages(
      { ...scene, random },
      texts.map((text) => Buffer.from(text)),
    );
  const statementsOf = async (awb: string): Promise<number> =>
    (await pushedStatementsOf(scene, awb)).statements.length;
  const storedIn = async (cell: Cell): Promise<readonly string[]> => {
    const sql = "select convert_from(message, 'utf8') as text from cell.air_messages order by 1";
    return ((await scene.stored.queryIn(cell, sql)).rows as { text: string }[]).map(({ text }) => text);
  };

  test("each is stored where its waybill falls to, and one of two waybills in both cells, its text once", async () => {
    const pushed = await push(arrival(IN_FIRST), arrival(IN_SECOND), BOTH, "good morning");
    assert.deepEqual([pushed.accepted, pushed.refused, pushed.duplicates], [4, 1, 0]);
    assert.deepEqual(pushed.awbs.toSorted(), [IN_FIRST, IN_SECOND].toSorted());
    const texts = [...(await storedIn(first)), ...(await storedIn(second))];
    assert.deepEqual(
      texts.toSorted(),
      [arrival(IN_FIRST), arrival(IN_SECOND), BOTH, "", "good morning"].toSorted(),
    );
    assert.ok((await storedIn(first)).includes(arrival(IN_FIRST)));
    scene.asked.length = 0;
    assert.deepEqual([await statementsOf(IN_FIRST), await statementsOf(IN_SECOND)], [2, 2]);
    assert.deepEqual(scene.asked, ["0", "1"]);
    assert.equal((await push(BOTH)).duplicates, 1);
    assert.equal(await statementsOf(IN_FIRST), 2);
  });

  test("a cell that is gone keeps no message from the others, and takes its part when it comes again", async () => {
    const texts = [arrival(IN_FIRST), arrival(IN_SECOND), BOTH];
    scene.gone = second;
    const some = await push(...texts);
    assert.deepEqual([some.failures.length, some.awbs], [1, [IN_FIRST]]);
    scene.gone = null;
    const rest = await push(...texts);
    assert.deepEqual([rest.failures.length, rest.awbs], [0, [IN_SECOND]]);
    assert.deepEqual([await statementsOf(IN_FIRST), await statementsOf(IN_SECOND)], [2, 2]);
  });

  test("messages of before a cell has joined count for as long as they are kept", async () => {
    const joins = `update ${first.directory}.cells set joined_at = $1 where number = 1`;
    await scene.stored.queryIn(first, joins, [new Date(scene.clock.nowMs() + 60_000)]);
    await scene.index.refresh();
    await push(arrival(IN_SECOND));
    assert.equal((await storedIn(first)).length, 1);
    await scene.clock.advance(60_000);
    assert.equal(scene.index.cellOf(IN_SECOND), second);
    await push(arrival(IN_SECOND).replace("1230", "1240"));
    assert.equal((await storedIn(second)).length, 1);
    assert.equal(await statementsOf(IN_SECOND), 2);
  });

  test("old messages go in every cell, whatever another does", async () => {
    await push(arrival(IN_FIRST), arrival(IN_SECOND));
    await scene.clock.advance(91 * 86_400_000);
    const retention = createRetention(
      { ...scene, log: silentLog, loops: unwatchedLoops },
      "air messages",
      MESSAGES_KEPT_MS,
      airMessagePrune,
    );
    scene.gone = first;
    retention.start();
    await scene.clock.advance(3_600_000);
    await scene.clock.atOnce(async () => (await storedIn(second)).length === 0, "the healthy cell is pruned");
    scene.gone = null;
    await scene.clock.until(async () => (await storedIn(first)).length === 0, "so is the other");
    await retention.stop();
  });

  test("a waybill is woken in the cells that track it, and no other is asked", async () => {
    const file = readAirlines(
      JSON.stringify([{ iata: "EK", name: "Emirates", prefixes: ["176"], sources: [{ kind: "push" }] }]),
    );
    assert.ok(file.kind === "entries", JSON.stringify(file));
    const accountId = await scene.newAccount(second);
    let woken = 0;
    const wake = () => void (woken += 1);
    const client = { isBreakerOpen: () => false };
    const ports = { ...scene, random, wake, client, airlines: file.entries };
    const track = createAwbTracking(ports, { ...TRACK_DEFAULTS, waitingMax: 0 });
    await track(second, accountId, awbOf(IN_FIRST));
    woken = 0;
    scene.asked.length = 0;
    await wakeWaybills({ ...scene, wake }, [IN_FIRST]);
    assert.deepEqual([woken, scene.asked], [1, ["0", "1", "1"]]);
    scene.gone = second;
    await assert.rejects(wakeWaybills({ ...scene, wake }, [IN_FIRST]), StoreUnavailable);
  });
});
