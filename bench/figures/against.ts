/**
 * The service of the working tree beside that of another commit, both up at once, loaded by turns with the load, the
 * receiver and the bench of the working tree. Each service migrates a database of its own.
 */
import { compareTurns, type Change } from "../report/watch.ts";
import { createAccounts } from "../setting/accounts.ts";
import type { Bench } from "../setting/bench.ts";
import { loadFully } from "../setting/load.ts";
import { startPostgres } from "../setting/postgres.ts";
import { aim, runningOn, type RunningService } from "../setting/running.ts";
import { ROOT, startService } from "../setting/service.ts";
import { measureTurns } from "../setting/undisturbed.ts";
import { checkOut } from "../setting/worktree.ts";
import { inSingles, measureCost, type Cost } from "./throughput.ts";

type Side = "old" | "new";

export async function against(batches: Bench, commit: string): Promise<Change[]> {
  const { folder, name } = checkOut(batches, commit);
  batches.say(`the working tree beside ${name}`);
  const sides = { old: await startSide(batches, folder), new: await startSide(batches, ROOT) };
  const loads = { batches, "single requests": inSingles(batches) };
  for (const bench of Object.values(loads))
    for (const side of Object.values(sides)) {
      await aim(bench, side);
      await loadFully(bench, side, bench.plan.warmUpSeconds);
    }
  const changes: Change[] = [];
  const turns = await measureTurns(batches, async (turn) => {
    const order: readonly Side[] = turn % 2 === 0 ? ["old", "new"] : ["new", "old"];
    const measured: Record<string, Record<Side, Cost>> = {};
    for (const [load, bench] of Object.entries(loads)) {
      const costs = new Map<Side, Cost>();
      for (const side of order) {
        await aim(bench, sides[side]);
        costs.set(side, await measureCost(bench, sides[side], side));
      }
      measured[load] = { old: costs.get("old")!, new: costs.get("new")! };
    }
    return measured;
  });
  for (const side of Object.values(sides)) await side.stop();
  for (const load of Object.keys(loads)) {
    const pick = (side: Side, of: keyof Cost) => turns.map((turn) => turn[load]![side][of]);
    changes.push(
      compareTurns(
        `deliveries a second, ${load}`,
        "more",
        pick("old", "perSecond"),
        pick("new", "perSecond"),
      ),
      compareTurns(
        `µs of the service's processor a delivery, ${load}`,
        "less",
        pick("old", "perEventUs"),
        pick("new", "perEventUs"),
      ),
    );
  }
  return changes;
}

async function startSide(bench: Bench, root: string): Promise<RunningService> {
  const postgres = await startPostgres(bench, bench.newFolder(), "empty");
  const service = await startService(bench, postgres.dataFolder, {}, root);
  const accounts = await createAccounts(postgres, bench.ports.slice(0, bench.plan.endpoints));
  return runningOn(postgres, accounts, service);
}
