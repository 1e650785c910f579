/** The machine and the software that was measured. */
import { cpus, loadavg, totalmem } from "node:os";

export type Machine = {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly platform: string;
  readonly node: string;
  readonly postgres: string;
  /** Processes that wanted a core, over the last minute, before the bench began: of others. */
  readonly loadBefore: number;
};

export function thisMachine(postgres: string): Machine {
  const cores = cpus();
  return {
    cores: cores.length,
    processor: cores[0]?.model.trim() ?? "unknown",
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    postgres,
    loadBefore: loadavg()[0]!,
  };
}

export function describe(machine: Machine): string {
  const { cores, processor, memoryGb, platform, node, postgres, loadBefore } = machine;
  return (
    `${cores} cores (${processor}), ${memoryGb} GB, ${platform}, Node ${node}, PostgreSQL ${postgres}; ` +
    `load before the run ${loadBefore.toFixed(1)}`
  );
}
