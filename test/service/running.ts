/**
 * A service in the test's own process, put together as `serve` does it: no process has to start, and no database. What only
 * a process shows, such as signals, its output and its end, is tested with `boathook.ts`.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

import { products as allProducts } from "../../src/products/index.ts";
import type { ProductManifest } from "../../src/products/manifest.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { readConfiguration } from "../../src/runtime/configuration.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { startService } from "../../src/service/service.ts";
import { settingsFor } from "../cli/run.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { recordingLog, type LogLine } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import type { Addresses, Settings } from "./boathook.ts";
import { newClient, startReceiver } from "./client.ts";

export const TOKEN = "the-operator-of-this-test";

/** A test or a suite, which ends what it has begun. */
export type Owner = { after(end: () => unknown): void };

const endings = new WeakMap<Owner, (() => unknown)[]>();

/** What began last ends first. */
export function atEnd(t: Owner, end: () => unknown): void {
  const ends = endings.get(t) ?? [];
  if (ends.length === 0) {
    endings.set(t, ends);
    t.after(async () => {
      for (const one of ends.toReversed()) await one();
    });
  }
  ends.push(end);
}

/** Owns what the hooks of a suite begin. Call it in the suite itself. */
export function ownerOfSuite(): Owner {
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return { after: (end) => void ends.push(end) };
}

/** The settings of services on a database of the owner's own, with a data folder. */
export async function openPlace(t: Owner, cells = 1): Promise<{ settings: Settings; on: TestDatabase }> {
  const on = await createTestDatabase({ cells });
  const folder = mkdtempSync(join(tmpdir(), "boathook-service-"));
  atEnd(t, async () => {
    await on.drop();
    rmSync(folder, { recursive: true });
  });
  const settings = {
    ...settingsFor(on),
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
    BOATHOOK_OPERATOR_TOKEN: TOKEN,
  };
  return { settings, on };
}

export type Running = Addresses & {
  readonly log: readonly LogLine[];
  stop(): Promise<void>;
};

/** Starts it on free ports. What the owner leaves running is stopped at its end. */
export async function run(
  t: Owner,
  settings: Settings,
  {
    products = allProducts,
    clock = realClock,
  }: { readonly products?: readonly ProductManifest[]; readonly clock?: Clock } = {},
): Promise<Running> {
  const listen = { BOATHOOK_LISTEN: "127.0.0.1:0", BOATHOOK_OPS_LISTEN: "127.0.0.1:0" };
  const read = readConfiguration({ ...listen, ...settings }, products, "service");
  if (read.kind === "invalid") assert.fail(read.message);
  const log = recordingLog();
  const service = await startService(read.settings, { clock, random: systemRandom(), log }, products);
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= service.stop());
  atEnd(t, stop);
  return { publicUrl: service.publicUrl!, opsUrl: service.opsUrl, log: log.lines, stop };
}

/** A service on a database of its own, with a receiver that it reaches, and a client with an endpoint of the product there. */
export async function runClient(
  t: Owner,
  product: string,
  { path = product, settings = {} }: { readonly path?: string; readonly settings?: Settings } = {},
) {
  const receiver = await startReceiver(t);
  const { settings: place, on } = await openPlace(t);
  const served = { ...place, ...receiver.settings, ...settings };
  const service = await run(t, served);
  const client = await newClient(service, TOKEN, receiver);
  const endpoint = await client.register(service, product, path);
  return { receiver, service, served, on, client, endpoint };
}
