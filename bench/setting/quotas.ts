/** Processors of their own, where a machine has too few: groups that hold processes to a share of one (cgroups(7)). */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Of version 1 and of version 2. */
const PARENTS = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup"];
const PERIOD_US = 10_000;

export type Quotas = {
  /** Each process in a group of its own, with at most `share` of one processor. */
  hold(pids: readonly number[], share: number): void;
  /** Once the processes have ended. */
  remove(): void;
};

/** Null where this process may make no such groups. */
export function openQuotas(): Quotas | null {
  const parent = PARENTS.find((path) => existsSync(join(path, "cgroup.procs")));
  if (parent === undefined) return null;
  const groups: string[] = [];
  const make = (share: number): string => {
    const group = join(parent, `boathook-bench-${process.pid}-${groups.length}`);
    mkdirSync(group);
    groups.push(group);
    const quotaUs = Math.round(share * PERIOD_US);
    const limits = existsSync(join(group, "cpu.max"))
      ? { "cpu.max": `${quotaUs} ${PERIOD_US}` }
      : { "cpu.cfs_period_us": PERIOD_US, "cpu.cfs_quota_us": quotaUs };
    for (const [name, value] of Object.entries(limits)) writeFileSync(join(group, name), String(value));
    return group;
  };
  const remove = (): void => {
    for (const group of groups.splice(0)) rmdirSync(group);
  };
  try {
    make(1);
  } catch {
    return null;
  } finally {
    remove();
  }
  return {
    hold(pids, share) {
      for (const pid of pids) writeFileSync(join(make(share), "cgroup.procs"), String(pid));
    },
    remove,
  };
}
