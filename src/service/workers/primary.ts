/** The process that starts and watches the workers, and holds what they share: the embedded PostgreSQL, migrated. */
import { Registry } from "prom-client";

import { CommandError } from "../../cli/command.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import type { Settings } from "../../runtime/settings.ts";
import { startWorkerProcess } from "../../runtime/worker-processes.ts";
import { createLoopMonitor } from "../../runtime/loop-monitor.ts";
import { databaseCheck } from "../cell-health.ts";
import { keepHistory } from "../history.ts";
import type { Service, ServicePorts } from "../service.ts";
import { openServiceStore } from "../store.ts";
import type { StartFailure } from "./questions.ts";
import { superviseWorkers } from "./supervisor.ts";
import { exposeWorkers } from "./worker-metrics.ts";

/** For the question whether the database answers. */
const DATABASE_CONNECTIONS_MAX = 2;

/**
 * `ended` resolves when the service cannot go on; `stop` then rejects with the reason. Null: it was `signalled` before
 * it listened, and has stopped.
 */
export async function startPrimary(
  settings: Settings,
  workers: number,
  stopMsMax: number,
  { program, signalled }: Pick<ProcessContext, "program"> & { readonly signalled: Promise<string> },
  { clock, log, embedded }: ServicePorts,
): Promise<(Service & { readonly ended: Promise<string> }) | null> {
  const storeSettings = { ...settings, databaseConnectionsMax: DATABASE_CONNECTIONS_MAX };
  const store = await openServiceStore(storeSettings, clock, log, { embedded });
  const registry = new Registry();
  const supervisor = superviseWorkers(workers, {
    clock,
    log,
    startProcess: (worker) => startWorkerProcess(program, ["serve"], worker),
    // The directory's server: the cell may have moved since, and its former server be gone.
    checkDatabase: databaseCheck(store.database, { ...store.cells[0], schema: store.cells[0].directory }),
    ownMetrics: () => registry.getMetricsAsJSON(),
    history: (range) => history.read(range),
  });
  const loops = createLoopMonitor(clock, log);
  const history = keepHistory(() => supervisor.metrics(), { clock, log, loops });
  exposeWorkers(registry, supervisor.gauges);
  let failure: StartFailure | null = null;
  const ended = supervisor.failed.then((found) => {
    failure = found;
    log.error({ reason: found.message }, "a worker cannot start: the service ends");
    return "a worker cannot start";
  });
  const stop = async () => {
    await history.stop();
    const endedWell = await supervisor.stop(stopMsMax);
    await store.close();
    if (failure !== null) throw new CommandError(failure.message, failure.status);
    if (!endedWell) throw new CommandError("Not every worker ended well: the log says which.", 1);
  };
  const addresses = await Promise.race([supervisor.listening, ended, signalled]);
  if (typeof addresses !== "string") return { ...addresses, ended, stop };
  await stop();
  return null;
}
