/** What all figures share: a folder, a certificate, the receiver, the load and the ceiling, each a process of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createAuthority, validAround } from "../../src/runtime/certificates.ts";
import { startProcess, type Process } from "../processes/calls.ts";
import type { CeilingCalls } from "../processes/ceiling.ts";
import type { RaisingCalls } from "../processes/raising.ts";
import type { ReadingCalls } from "../processes/reading.ts";
import type { ReceiverCalls } from "../processes/receiver.ts";
import type { Plan } from "./plan.ts";

export type Bench = {
  readonly plan: Plan;
  /** The authority's certificate, which the service is configured to trust. */
  readonly caFile: string;
  readonly receiver: Process<ReceiverCalls>;
  readonly raising: Process<RaisingCalls>;
  readonly reading: Process<ReadingCalls>;
  readonly ceiling: Process<CeilingCalls>;
  /** The receiver's ports; the first `plan.endpoints` of them are those of most figures. */
  readonly ports: readonly number[];
  /** A data folder that has not been used. */
  newFolder(): string;
  say(text: string): void;
  /** For each measurement that counts, other processes' share of the machine during it. */
  readonly othersShares: number[];
  /** Runs when the bench ends, however it does; the last one first. */
  atEnd(act: () => Promise<void>): void;
  end(): Promise<void>;
};

export async function openBench(plan: Plan, say: (text: string) => void): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "boathook-bench-"));
  const caFile = join(folder, "ca.pem");
  const nowMs = Date.now();
  const authority = await createAuthority(nowMs, "Boathook Bench Authority");
  const certificate = await authority.issue({ hosts: ["127.0.0.1"], ...validAround(nowMs) });
  writeFileSync(caFile, authority.cert);

  const receiver = startProcess<ReceiverCalls>("receiver.ts");
  const raising = startProcess<RaisingCalls>("raising.ts");
  const reading = startProcess<ReadingCalls>("reading.ts");
  const ceiling = startProcess<CeilingCalls>("ceiling.ts");
  const ports = await receiver.call("open", { endpoints: plan.coldEndpoints, ...certificate });
  await ceiling.call("trust", { ca: authority.cert });
  let folders = 0;
  const endings: (() => Promise<void>)[] = [];
  let ended: Promise<void> | null = null;
  return {
    plan,
    caFile,
    receiver,
    raising,
    reading,
    ceiling,
    ports,
    newFolder: () => join(folder, `data-${folders++}`),
    say,
    othersShares: [],
    atEnd: (act) => void endings.push(act),
    // A signal ends the bench, and with it what runs, which ends the bench too.
    end: () => (ended ??= end()),
  };

  async function end(): Promise<void> {
    for (const act of endings.toReversed()) await act();
    await Promise.all([raising.end(), reading.end(), ceiling.end()]);
    await receiver.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
