import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { query } from "../support/database.ts";
import { check, untilAllEnded } from "./books.ts";
import { freezeAgainAndAgain } from "./freezing.ts";
import { furnish, startDatabase } from "./postgres.ts";
import { startNode } from "./process.ts";
import { draw, give, type NumberedEvent } from "./load.ts";
import { addAccount, addEndpoint, folderFor, openScene, QUICK, slow } from "./scene.ts";
import { until } from "./until.ts";

test("a node frozen past its lease under load and woken loses nothing, and joins again", async (t) => {
  await freezeAgainAndAgain(t, 2, false);
});

test("what a frozen node learns late of its attempts is refused, and counted by nobody", async (t) => {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  const late = Promise.withResolvers<number>();
  let endpointId = "";
  await furnish(t, dataFolder, async (store) => {
    // The first attempt is answered when its sender has been replaced, and badly; the others at once.
    const endpoint = await addEndpoint(scene, store, await addAccount(store), ({ attempt }) =>
      attempt === 1 ? late.promise : 200,
    );
    endpointId = endpoint.id;
  });
  const { postgres, databaseUrl } = await startDatabase(dataFolder);
  const { masterKey, receiver } = scene;
  const options = { databaseUrl, dataFolder, masterKey, caFile: receiver.caFile, settings: QUICK };
  const [first, second] = [await startNode(t, options), await startNode(t, options)];
  const state = async () => {
    const { rows } = await query(
      postgres.address,
      `select d.status, d.attempt_count, d.last_status_code, p.failure_count
       from boathook_cell_0.deliveries d join boathook_cell_0.endpoints p on p.id = d.endpoint_id
       where p.id = $1`,
      [endpointId],
    );
    return rows[0] as object;
  };

  await give(scene, first, draw(scene, 1));
  await until(() => receiver.arrivals.length === 1, "the first attempt");
  first.freeze();
  await until(() => receiver.arrivals.length === 2, "the second attempt, by the other node");
  const counted = { status: "delivered", attempt_count: 1, last_status_code: 200, failure_count: 0 };
  await until(async () => ((await state()) as { status: string }).status === "delivered", "it is delivered");
  late.resolve(500);
  first.wake();
  await until(async () => {
    const gauges = await first.call<{ open: number; inFlight: number }>({ gauges: true });
    return gauges !== "gone" && gauges.open === 0 && gauges.inFlight === 0;
  }, "the woken node has written its result");
  // The end of a node waits for all that it has to write.
  await first.stop();
  assert.deepEqual({ ...(await state()) }, counted);
  await second.stop();
  await postgres.stop();
  assert.equal(receiver.arrivals.length, 2);
});

test("a node frozen while it receives a large answer from the database is still replaced", async (t) => {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  await furnish(t, dataFolder, async (store) => {
    await addEndpoint(scene, store, await addAccount(store), slow);
  });
  const { postgres, databaseUrl } = await startDatabase(dataFolder);
  const { masterKey, receiver } = scene;
  // Little room in memory: all comes by claims, each of which is more than a socket takes at once.
  const settings = { ...QUICK, memoryDeliveriesMax: 8 };
  const options = { databaseUrl, dataFolder, masterKey, caFile: receiver.caFile, settings };
  const nodes = [await startNode(t, options), await startNode(t, options)] as const;
  const large = (event: NumberedEvent): NumberedEvent => ({
    ...event,
    data: event.data.replace("{", `{"filling":"${"n".repeat(LARGE_BYTES)}",`),
  });
  for (let calls = 0; calls < 10; calls++) await give(scene, nodes[0], draw(scene, 20).map(large));

  const isBlocked = async () => {
    const blocked = `select from pg_stat_activity where wait_event = 'ClientWrite' and query like '%queue%'`;
    return (await query(postgres.address, blocked)).rowCount! > 0;
  };
  const count = async () => (await query(postgres.address, "select from boathook_cell_0.nodes")).rowCount;
  let wasBlocked = false;
  for (let freezes = 0; freezes < 20 && !wasBlocked; freezes++) {
    nodes[0].freeze();
    await sleep(20);
    wasBlocked = await isBlocked();
    if (!wasBlocked) nodes[0].wake();
    await sleep(7);
  }
  t.diagnostic(`it was ${wasBlocked ? "" : "not "}frozen while an answer was in transit`);
  if (!wasBlocked) nodes[0].freeze();
  await until(async () => (await count()) === 1, "the frozen node is replaced");
  nodes[0].wake();
  await until(async () => (await count()) === 2, "it joins again");
  await untilAllEnded(postgres.address);
  await check(scene, postgres.address, 1);
  for (const node of nodes) await node.stop();
  await postgres.stop();
});

const LARGE_BYTES = 200_000;
