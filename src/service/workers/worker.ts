/** One of the processes of a service: it serves as a node of its own, and reports to the primary. */
import type { Registry } from "prom-client";

import type { Sample } from "../../operator/console/history.ts";
import type { Monitoring, NotReady } from "../../operator/ports.ts";
import { openChannel, type Channel, type MessagePort } from "../../runtime/process-channel.ts";
import type { Settings, WorkerPlace } from "../../runtime/settings.ts";
import { failureOf } from "../commands/failure.ts";
import { startService, type Service, type ServicePorts } from "../service.ts";
import { WORKER_QUESTIONS as Q, type MetricsQuestion } from "./questions.ts";
import { createSharedUses, type Uses } from "./shared-uses.ts";
import { connectionsMaxOf } from "./worker-count.ts";

/** Longer than the primary waits for its workers. */
const PRIMARY_MS_MAX = 5_000;

/** `ended` resolves when the primary stops the service. Null: it cannot start, and the primary knows why. */
export async function startWorker(
  settings: Settings,
  place: WorkerPlace,
  port: MessagePort,
  ports: ServicePorts,
): Promise<(Service & { readonly ended: Promise<string> }) | null> {
  const stopped = Promise.withResolvers<string>();
  let isCounting = false;
  let own: Parameters<NonNullable<ServicePorts["asOne"]>>[0] | null = null;
  const shared = createSharedUses(ports.clock, (uses) => void channel.ask(Q.uses, PRIMARY_MS_MAX, uses));
  const channel = openChannel(port, ports.clock, {
    [Q.alive]: () => true,
    [Q.reasons]: async () => (await own?.notReady())?.checks,
    [Q.ownMetrics]: (asked: MetricsQuestion) => {
      isCounting = asked.isCounting;
      return own?.metrics.getMetricsAsJSON();
    },
    [Q.uses]: (uses: Uses) => shared.add(uses),
    [Q.stop]: () => stopped.resolve("the primary stops"),
  });
  const asOne = (reported: NonNullable<typeof own>) => {
    own = reported;
    return ofWholeService(channel, reported);
  };
  const databaseConnectionsMax = connectionsMaxOf(settings, place.of);
  try {
    const service = await startService(
      { ...settings, databaseConnectionsMax, place },
      { ...ports, asOne, shareUses: shared.share, isCountingQueue: () => isCounting },
    );
    void channel.ask(Q.started, PRIMARY_MS_MAX, { publicUrl: service.publicUrl, opsUrl: service.opsUrl });
    return { ...service, ended: stopped.promise };
  } catch (cause) {
    await channel.ask(Q.failed, PRIMARY_MS_MAX, failureOf(cause));
    return null;
  }
}

/** If the primary does not answer, this worker speaks for itself. */
function ofWholeService(channel: Channel, own: Monitoring & { readonly metrics: Registry }): Monitoring {
  return {
    notReady: async () => (await channel.ask<NotReady>(Q.readiness, PRIMARY_MS_MAX)) ?? own.notReady(),
    history: async (range) => (await channel.ask<readonly Sample[]>(Q.history, PRIMARY_MS_MAX, range)) ?? [],
    metrics: {
      contentType: own.metrics.contentType,
      metrics: async () => (await channel.ask<string>(Q.metrics, PRIMARY_MS_MAX)) ?? own.metrics.metrics(),
    },
  };
}
