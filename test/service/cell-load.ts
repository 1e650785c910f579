/** Load on cells that move, and what must hold at its end. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";

import { ACCOUNT_CELLS_MAX } from "../../src/store/cell.ts";
import { run, settingsFor } from "../cli/run.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { realClock } from "../support/real-clock.ts";
import { until, type Serving, type Settings } from "./boathook.ts";
import { raise, type Client, type Receiver } from "./client.ts";

export const TOKEN = "operator-token-of-the-tests-of-cells";
const RETRY_MS = 200;
export const QUICK = {
  BOATHOOK_RETRY_WAITS: Array.from({ length: 5 }, () => `${RETRY_MS}ms`).join(","),
  BOATHOOK_SWEEP_INTERVAL: "500ms",
};

export const SETTINGS: Settings = {
  BOATHOOK_MASTER_KEY: randomBytes(32).toString("base64"),
  BOATHOOK_OPERATOR_TOKEN: TOKEN,
  BOATHOOK_DATABASE_CONNECTIONS: "8",
};

/** Settings for a database of one's own. */
export async function oneServer(t: TestContext, cells: number): Promise<Settings> {
  const one = await createEmptyDatabase();
  t.after(one.drop);
  const url = settingsFor({ address: one.address, cells: [] })["BOATHOOK_DATABASE_URL"]!;
  return { ...SETTINGS, BOATHOOK_DATABASE_URL: url, BOATHOOK_CELLS: String(cells) };
}

const sleep = (ms: number) => new Promise<void>((resolve) => realClock.after(ms, resolve));

export type Load = {
  readonly accepted: ReadonlySet<number>;
  /** Requests that were not accepted. */
  readonly refused: () => number;
  /** Events whose retry came before its time. */
  readonly early: readonly number[];
  stop(): Promise<void>;
};

/**
 * Raises one event after the other for every client, through all nodes in turn, which may change. `mayBeDown`: there are
 * times in which none listens, and calls that get no answer.
 */
export function startLoad(
  t: TestContext,
  nodes: readonly Serving[],
  clients: readonly Client[],
  receiver: Receiver,
  { mayBeDown = false } = {},
): Load {
  const { early } = behave(receiver);
  const accepted = new Set<number>();
  let [next, refused, isStopped] = [0, 0, false];
  t.after(() => (isStopped = true));
  const running = clients.map(async ({ accountId }) => {
    while (!isStopped) {
      const number = next++;
      const isAccepted = await raise(nodes[number % nodes.length]!, TOKEN, accountId, [number]).catch(
        (cause: unknown) => {
          if (!mayBeDown) throw cause;
          return false;
        },
      );
      if (isAccepted) accepted.add(number);
      else {
        refused += 1;
        await sleep(20);
      }
      await sleep(2);
    }
  });
  return {
    accepted,
    early,
    refused: () => refused,
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** Refuses some first attempts; says which retries came before their time. */
function behave(receiver: Receiver): { readonly early: number[] } {
  const failedAtMs = new Map<number, number>();
  const early: number[] = [];
  receiver.behave(({ data }) => {
    const { number } = data as { number: number };
    const atMs = failedAtMs.get(number);
    if (atMs !== undefined && realClock.monotonicMs() - atMs < RETRY_MS * 0.9) early.push(number);
    if (number % 10 !== 0 || atMs !== undefined) return 204;
    failedAtMs.set(number, realClock.monotonicMs());
    return 503;
  });
  return { early };
}

type ListedCell = {
  readonly number: number;
  readonly name: string;
  readonly server: string;
  readonly open: boolean;
  readonly accounts: number;
  readonly move: string | null;
};

/** What `boathook cells list` prints of the cells of accounts. */
export async function cellsOf(settings: Settings): Promise<readonly ListedCell[]> {
  return (await allCellsOf(settings)).filter(({ number }) => number < ACCOUNT_CELLS_MAX);
}

/** Also of the cells of products. */
export async function allCellsOf(settings: Settings): Promise<readonly ListedCell[]> {
  return JSON.parse(await runWell(["cells", "list", "--json"], settings));
}

/** Runs a command that succeeds, in this process; returns what it prints. */
export async function runWell(words: readonly string[], settings: Settings): Promise<string> {
  const { status, out, err } = await run(words, { environment: settings });
  assert.equal(status, 0, err);
  return out;
}

/** Everything that was accepted arrives, as one delivery, and none before its time. */
export async function checkLoad(load: Load, receiver: Receiver): Promise<{ readonly again: number }> {
  await load.stop();
  const arrived = () => new Set(receiver.arrivals.map(({ data }) => data.number as number));
  const missing = () => [...load.accepted].filter((number) => !arrived().has(number));
  await until(() => missing().length === 0, "everything that was accepted arrives", 60_000);
  assert.deepEqual(receiver.wrong, []);
  assert.deepEqual(load.early, []);
  const byNumber = Map.groupBy(receiver.arrivals, ({ data }) => data.number as number);
  for (const [number, arrivals] of byNumber) {
    assert.equal(new Set(arrivals.map(({ id }) => id)).size, 1, `${number} is one delivery`);
  }
  const again = [...byNumber].filter(([number, { length }]) => length > (number % 10 === 0 ? 2 : 1)).length;
  assert.ok(again <= load.accepted.size / 10, `${again} of ${load.accepted.size} came again`);
  return { again };
}
