/**
 * `npm run drill:faults -- --hidden <seed>`: causes ten faults by chance and does not say which. For each, a folder has
 * what an operator has (`seen.txt`, the alerts left out) and, apart, the answer.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { mulberry32 } from "../faults/chance.ts";
import { start } from "../service/boathook.ts";
import type { Fault, Stage } from "./fault.ts";
import { sleep } from "./stage.ts";

const COUNT = 10;
const UNSEEN_MS = 20_000;
const COMMANDS = ["status", "endpoints list --failing"];

/** Ten of them, in the order of a draw. */
export function draw(faults: readonly Fault[], seed: number): readonly Fault[] {
  const chance = mulberry32(seed);
  return faults
    .map((fault) => ({ fault, at: chance() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, COUNT)
    .map(({ fault }) => fault);
}

/** Waits, and writes what the service shows. */
export async function report(stage: Stage, fault: Fault, folder: string, logFrom: number): Promise<void> {
  const opsUrl = `http://127.0.0.1:${stage.opsPorts[0]}`;
  const ask = (path: string) =>
    fetch(opsUrl + path, { signal: AbortSignal.timeout(5_000) }).then(
      async (response) => `${response.status} ${await response.text()}`,
      (cause: Error) => `no answer: ${cause.message}`,
    );
  await sleep(UNSEEN_MS);
  const said = await Promise.all(
    COMMANDS.map(async (words) => {
      const running = start(stage.t, words.split(" "), stage.settings);
      const status = await running.ended;
      return `$ boathook ${words}\n${running.out()}${running.err()}exit ${status}`;
    }),
  );
  const metrics = (await ask("/metrics"))
    .split("\n")
    .filter(
      (line) => /^boathook_(?!.*(?:_bucket|_sum|loop_silent))|_lag_p99/.test(line) && !line.endsWith(" 0"),
    );
  const parts = {
    readyz: await ask("/readyz"),
    log: stage.service.err().slice(logFrom),
    ...Object.fromEntries(COMMANDS.map((words, index) => [words, said[index]])),
    metrics: metrics.join("\n"),
  };
  mkdirSync(folder, { recursive: true });
  const text = Object.entries(parts).map(([name, part]) => `== ${name}\n${part}\n`);
  writeFileSync(join(folder, "seen.txt"), text.join("\n"));
  writeFileSync(join(folder, "answer.txt"), `${fault.name}\n`);
}
