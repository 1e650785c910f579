/** Accounts, endpoints and a receiver for the tests of faults, and what was given to them so far. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { mintSecret, sealSecret } from "../../src/engine/secret.ts";
import type { EngineSettings } from "../../src/engine/settings.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { insertAccount } from "../../src/store/accounts/accounts.ts";
import { insertEndpoint } from "../../src/store/endpoints/endpoints.ts";
import type { Store } from "../../src/store/open.ts";
import { databaseFolder } from "../support/database-folder.ts";
import { copyPreparedDatabase } from "../support/prepared-database.ts";
import { atEnd } from "./endings.ts";
import { TYPES } from "./load.ts";
import { startLoggingReceiver, type LoggingReceiver, type Manner } from "./receiver.ts";

const random = systemRandom();

export type SceneEndpoint = {
  readonly id: string;
  readonly accountId: string;
  readonly path: string;
  /** Empty: every type. */
  readonly eventTypes: readonly string[];
  /** False for one that never succeeds: what goes there ends dead. */
  readonly delivers: boolean;
};

export type Scene = {
  readonly receiver: LoggingReceiver;
  readonly masterKey: string;
  readonly endpoints: SceneEndpoint[];
  /** Of the events that were accepted, by number. */
  readonly accepted: Map<number, { readonly accountId: string; readonly type: string }>;
  /** Events given away so far, whatever became of them. */
  given: number;
  /** Calls that were refused with `unavailable`. */
  refused: number;
};

/** Retries, leases and looks that a test can wait for. Nobody is disabled, so that all can be counted on. */
export const QUICK: Partial<EngineSettings> = {
  retry: {
    attemptsMax: 6,
    waitsMs: [150, 200, 250, 300, 350, 400],
    disableAfterFailures: 1_000_000,
    disableAfterMs: 0,
  },
  sweepIntervalMs: 500,
  leaseMs: 1_500,
  heartbeatIntervalMs: 300,
  drainMs: 5_000,
};

export const well: Manner = () => 200;
/** Fails each third delivery at first. */
export const flaky: Manner = ({ id, attempt }) =>
  attempt === 1 && Number.parseInt(id.slice(-4), 16) % 3 === 0 ? 500 : 200;
export const slow: Manner = async ({ id }) => {
  await sleep(20 + (Number.parseInt(id.slice(-2), 16) % 100));
  return 200;
};
export const failing: Manner = () => 500;

/** `host`: where its receiver listens. */
export async function openScene(t: TestContext, host?: string): Promise<Scene> {
  return {
    receiver: await startLoggingReceiver(t, host),
    masterKey: randomBytes(32).toString("base64"),
    endpoints: [],
    accepted: new Map(),
    given: 0,
    refused: 0,
  };
}

/** A data folder of the test's own. */
export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(databaseFolder(), "boathook-faults-"));
  copyPreparedDatabase(folder);
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The usual cast: two accounts, endpoints that are well, flaky, slow, choosy and beyond help. */
export async function cast(scene: Scene, store: Store): Promise<void> {
  const [first, second] = [await addAccount(store), await addAccount(store)];
  for (const [accountId, manner, eventTypes] of [
    [first, well, []],
    [first, flaky, []],
    [first, well, [TYPES.common]],
    [first, failing, [TYPES.rare]],
    [second, slow, []],
    [second, well, [TYPES.lessCommon, TYPES.rare]],
  ] as const) {
    await addEndpoint(scene, store, accountId, manner, eventTypes);
  }
}

export async function addAccount(store: Store): Promise<string> {
  const home = store.cells[0];
  const id = random.uuid(Date.now());
  await insertAccount(store.database, home, {
    id,
    name: "Test",
    entitlements: [],
    demurrageAlerting: false,
    cell: home.number,
    createdAt: new Date(),
  });
  return id;
}

export async function addEndpoint(
  scene: Scene,
  store: Store,
  accountId: string,
  manner: Manner,
  eventTypes: readonly string[] = [],
): Promise<SceneEndpoint> {
  const id = random.uuid(Date.now());
  const path = `/${scene.endpoints.length}`;
  const secret = mintSecret(random);
  await insertEndpoint(
    store.database,
    store.cells[0],
    {
      id,
      accountId,
      product: "tracking",
      url: scene.receiver.url + path,
      eventTypes,
      description: "",
      createdAt: new Date(),
      sealedSecretHash: sealSecret(
        secret,
        { accountId, endpointId: id },
        [Buffer.from(scene.masterKey, "base64")],
        random,
      ),
    },
    100,
  );
  scene.receiver.expect(path, secret, manner);
  const endpoint = { id, accountId, path, eventTypes, delivers: manner !== failing };
  scene.endpoints.push(endpoint);
  return endpoint;
}
