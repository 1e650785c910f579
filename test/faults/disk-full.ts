/** A PostgreSQL whose disk is full: a small file system of its own, filled under load and emptied again. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { atEnd } from "./endings.ts";
import { addressOf, furnish, killLeftDatabase } from "./postgres.ts";
import { startNode } from "./process.ts";
import { operatorAt } from "../support/clients.ts";
import {
  newClient,
  OPERATOR_TOKEN,
  QUICK_ENVIRONMENT,
  register,
  startServe,
  type ServiceProcess,
} from "./service.ts";
import { check, untilAllEnded, type Tally } from "./books.ts";
import { startLoad, TYPES } from "./load.ts";
import { cast, openScene, QUICK, type Scene, type SceneEndpoint } from "./scene.ts";
import { until } from "./until.ts";

const DISK_MB = 160;
/** What is left when it is filled, so that the load does the rest. */
const LEFT_BYTES = 512 * 1024;
const FULL_MS = 1_500;
/** A new start of a server that could not start takes its time. */
const HEAL_MS_MAX = 30_000;

/** Why this machine cannot do it, or a folder that is a file system of `DISK_MB`. */
export function smallDisk(t: TestContext): { readonly folder: string } | { readonly reason: string } {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    return { reason: "mounting a small file system takes root on Linux" };
  }
  const folder = mkdtempSync(join(tmpdir(), "boathook-disk-"));
  const mounted = spawnSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${DISK_MB}m,mode=755`,
    "boathook-test",
    folder,
  ]);
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    return { reason: `no file system can be mounted here: ${mounted.stderr?.toString().trim()}` };
  }
  atEnd(t, async () => {
    const isUnmounted = () => spawnSync("umount", [folder]).status === 0;
    await until(isUnmounted, "the small file system is given back");
    rmSync(folder, { recursive: true });
  });
  return { folder };
}

export async function fillAgainAndAgain(t: TestContext, disk: string, times: number): Promise<Tally> {
  const scene = await openScene(t);
  const dataFolder = join(disk, "data");
  await furnish(t, dataFolder, async (store) => cast(scene, store));
  const { masterKey, receiver } = scene;
  const node = await startNode(t, {
    databaseUrl: null,
    dataFolder,
    masterKey,
    caFile: receiver.caFile,
    settings: QUICK,
  });
  const load = startLoad(t, scene, () => node, { eventsACall: 50, pauseMs: 1 });
  const filler = join(disk, "filler");
  for (let filled = 0; filled < times; filled++) {
    const { accepted, refused } = { accepted: scene.accepted.size, refused: scene.refused };
    await until(() => scene.accepted.size > accepted, "events are accepted");
    fill(disk, filler);
    await until(() => scene.refused > refused, "calls are refused while the disk is full");
    await sleep(FULL_MS);
    rmSync(filler);
    const acceptedWhenFull = scene.accepted.size;
    await until(() => scene.accepted.size > acceptedWhenFull, "events are accepted again", HEAL_MS_MAX);
  }
  await load.stop();
  const address = addressOf(join(dataFolder, "postgres"));
  await untilAllEnded(address);
  const tally = await check(scene, address, times * 3);
  await node.stop();
  t.diagnostic(`the disk was full ${times} times: ${JSON.stringify(tally)}`);
  assert.ok(tally.refused > 0);
  return tally;
}

/** Shows how operators and users of the service see a full disk, and what happens when there is room again. */
export async function serveOnFullDisk(t: TestContext, disk: string): Promise<void> {
  const scene = await openScene(t);
  const dataFolder = join(disk, "data");
  killLeftDatabase(t, dataFolder);
  const service = await startServe(t, scene, { ...QUICK_ENVIRONMENT, BOATHOOK_DATA_DIR: dataFolder });
  await register(scene, service, await newClient(service), () => 200, Object.values(TYPES));
  const load = startLoad(t, scene, () => service, { eventsACall: 50, pauseMs: 1 });
  await until(() => scene.accepted.size > 0, "events are accepted");
  assert.equal(await readiness(service), null);
  // On a busy machine a statement of the start may have waited too long, which counts as well.
  const countedBefore = await refusalsCounted(service);

  const filler = join(disk, "filler");
  const { refused } = scene;
  fill(disk, filler);
  await until(() => scene.refused > refused, "calls are refused while the disk is full");
  // Small writes, such as heartbeats, succeed all the while: they find room in pages that are there.
  const reasons = new Map<string | null, number>();
  for (const startedMs = performance.now(); performance.now() - startedMs < FULL_MS;) {
    const accepted = scene.accepted.size;
    await sleep(READY_MS);
    const reason = await readiness(service);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    if (reason === null) assert.ok(scene.accepted.size > accepted, "it is ready, and everything is refused");
    else assert.match(reason, OUT_OF_DISK);
  }
  t.diagnostic(`while the disk was full: ${JSON.stringify([...reasons])}`);
  await until(
    async () => OUT_OF_DISK.test(await refusalOf(service, scene)),
    "the error message names the full disk to producers",
  );
  assert.ok((await refusalsCounted(service)) > countedBefore);

  rmSync(filler);
  const roomMs = performance.now();
  const acceptedWhenFull = scene.accepted.size;
  await until(() => scene.accepted.size > acceptedWhenFull, "events are accepted again", HEAL_MS_MAX);
  await until(async () => (await readiness(service)) === null, "it is ready again", HEAL_MS_MAX);
  t.diagnostic(`ready ${(performance.now() - roomMs).toFixed()} ms after there was room`);
  await load.stop();
  const address = addressOf(join(dataFolder, "postgres"));
  await untilAllEnded(address);
  await check(scene, address, 3);
  await service.stop();
}

/** A server that has found no room for its log ends, and is not let in while it recovers. */
const OUT_OF_DISK = /^the database(?:'s disk is full| cannot be reached| is starting up or shutting down)/;

/** How often a prober asks, or more. */
const READY_MS = 50;

/** Why it is not ready, null when it is. */
async function readiness({ opsUrl }: ServiceProcess): Promise<string | null> {
  const answer = await fetch(`${opsUrl}/readyz`);
  return answer.ok ? null : ((await answer.json()) as { readonly reason: string }).reason;
}

/** What the database has refused so far, for whichever lack of disk. */
async function refusalsCounted({ opsUrl }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  const counts = text.matchAll(
    /^boathook_database_errors_total\{class="(?:disk_full|unreachable|restarting)"\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The error message for a producer whose events do not fit on the disk; empty when they are accepted. */
async function refusalOf({ opsUrl }: ServiceProcess, scene: Scene): Promise<string> {
  const [{ accountId }] = scene.endpoints as [SceneEndpoint];
  // What is random cannot be made smaller.
  const note = randomBytes(6_000).toString("base64");
  const data = { container_id: randomUUID(), previous_status: "unknown", new_status: "in_transit", note };
  const events = Array.from({ length: 50 }, () => ({
    product: "tracking",
    account_id: accountId,
    // Nobody is subscribed to it, so that the books do not have it.
    type: "customs_hold",
    data,
  }));
  const answer = await operatorAt(opsUrl, OPERATOR_TOKEN).tryAsking("POST /v1/events", {}, { events });
  return answer.ok ? "" : String(answer.failure.message);
}

/** Writes until almost no room is left; the database writes at the same time, and may fill the rest first. */
export function fill(disk: string, file: string): void {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - LEFT_BYTES)));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOSPC") throw cause;
  }
}
