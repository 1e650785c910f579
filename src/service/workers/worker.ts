/** One of the processes of a service: it serves as a node of its own, and reports to the primary. */
import type { Registry } from "prom-client";

import type { ShareUses } from "../../http/limiter.ts";
import type { Sample } from "../../operator/console/history.ts";
import type { Monitoring, NotReady } from "../../operator/ports.ts";
import type { Clock } from "../../runtime/clock.ts";
import { openChannel, type Channel, type MessagePort } from "../../runtime/process-channel.ts";
import type { Settings, WorkerPlace } from "../../runtime/settings.ts";
import { failureOf } from "../commands/failure.ts";
import { startService, type Service, type ServicePorts } from "../service.ts";
import { WORKER_QUESTIONS as Q, type MetricsQuestion } from "./questions.ts";
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

type Use = { readonly limit: string; readonly caller: string; uses: number };

/** What one worker allowed lately. */
export type Uses = { readonly uses: readonly Use[] };

const SHARE_INTERVAL_MS = 250;

/**
 * Limits on requests hold for all workers together: each tells the others, through the primary, what it allowed. A
 * caller may exceed a limit by what the others allow within {@link SHARE_INTERVAL_MS}.
 */
export function createSharedUses(clock: Pick<Clock, "after">, send: (uses: Uses) => void) {
  const adders = new Map<string, Parameters<ShareUses>[0]>();
  const unshared = new Map<string, Use>();

  function flush(): void {
    send({ uses: [...unshared.values()] });
    unshared.clear();
  }

  return {
    /** Counts what another worker allowed. */
    add({ uses }: Uses): void {
      for (const one of uses) adders.get(one.limit)?.(one.caller, one.uses);
    },
    share:
      (limit: string): ShareUses =>
      (add) => {
        adders.set(limit, add);
        return (caller) => {
          const use = unshared.get(`${limit} ${caller}`);
          if (use !== undefined) use.uses += 1;
          else {
            if (unshared.size === 0) clock.after(SHARE_INTERVAL_MS, flush);
            unshared.set(`${limit} ${caller}`, { limit, caller, uses: 1 });
          }
        };
      },
  };
}
