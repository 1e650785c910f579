/** Running sailing schedules: polled feeds, pushed ones, and the record as time passes. */
import { Counter, Gauge, type Registry } from "prom-client";

import type { FilesOf, ProductStart, RunningProduct } from "../manifest.ts";
import { changedCalls } from "./calls/scheduled-calls.ts";
import { scheduleOperatorRoutes } from "./operator/push.ts";
import { scheduleRoutes } from "./routes/routes.ts";
import type { SCHEDULES_FILES, SchedulesSettings } from "./settings.ts";
import { createFeedPoller } from "./sources/feed-poller.ts";
import type { SchedulePorts, ScheduleSettings } from "./events/broadcasting.ts";
import type { FeedUpdate } from "./calls/call-statement.ts";
import { createFeedClient, type FeedClient } from "./sources/feed-client.ts";
import { isPolled, type Feed } from "./sources/feed-schema.ts";
import { createScheduleMaintenance, type ScheduleMaintenance } from "./maintenance.ts";
import { RELIABILITY_DEFAULTS } from "./reliability/reliability.ts";
import { ingest } from "./calls/ingest.ts";
import { openUpstreamHttp } from "../../freight/upstream/http.ts";
import { HOUR_MS } from "../../runtime/durations.ts";

/** Polls and maintains only where this process polls; every process ingests pushes. */
export async function startSchedules(
  context: ProductStart,
  settings: SchedulesSettings,
  { schedulesFile }: FilesOf<typeof SCHEDULES_FILES>,
): Promise<RunningProduct> {
  const { database, cells, productCells, polls, check, clock, random, log, loops, registry } = context;
  const feeds = schedulesFile?.entries ?? [];
  const own: SchedulePorts = {
    database,
    cells,
    cell: productCells.of("schedules"),
    random,
    clock,
    check,
    wake: context.wakeForwarder,
    onCallsChanged: (tx, source, changes, atMs) =>
      context.onCallsChanged(tx, source, changedCalls(changes), atMs),
  };
  const ownSettings = scheduleSettingsOf(settings, feeds);
  const upstreams = openUpstreamHttp(clock);
  const client = createFeedClient({ ...context, feeds, http: upstreams.http });
  const maintenance = createScheduleMaintenance({ ...own, clock, log, loops }, ownSettings);
  const fetches = new Counter({
    name: "boathook_schedule_fetches_total",
    help: "Fetches of feeds of sailing schedules that ended, by feed and what they came to.",
    labelNames: ["feed", "outcome"],
    registers: [registry],
  });
  const ingestUpdate = (update: FeedUpdate) => ingest(own, ownSettings, update);
  const poller = createFeedPoller({
    database,
    directory: cells[0],
    feeds: feeds.filter(isPolled),
    fetchFeed: client.fetchFeed,
    ingest: ingestUpdate,
    clock,
    random,
    log,
    loops,
    onFetch: (feed, outcome) => fetches.inc({ feed, outcome }),
  });
  if (polls) {
    registerGauges(registry, client, maintenance, feeds.filter(isPolled));
    poller.start();
    maintenance.start();
  }
  return {
    routes: scheduleRoutes(settings),
    operatorRoutes: scheduleOperatorRoutes({
      feeds,
      ingest: async (update) => void (await ingestUpdate(update)),
    }),
    async stop() {
      const stopping = polls ? [poller.stop(), maintenance.stop()] : [];
      // What waits for an answer ends with the connections.
      await upstreams.destroy();
      await Promise.all(stopping);
    },
  };
}

function scheduleSettingsOf(settings: SchedulesSettings, feeds: readonly Feed[]): ScheduleSettings {
  return {
    feeds: new Set(feeds.map(({ name }) => name)),
    cutOffHours: settings.cutOffWarningsMs.map((ms) => ms / HOUR_MS),
    reliability: {
      ...RELIABILITY_DEFAULTS,
      noticeMs: settings.reliabilityNoticeMs,
      windowDays: settings.reliabilityWindowDays,
      dropPoints: settings.reliabilityDropPoints,
    },
  };
}

function registerGauges(
  registry: Registry,
  client: FeedClient,
  maintenance: ScheduleMaintenance,
  feeds: readonly { readonly name: string }[],
): void {
  new Gauge({
    name: "boathook_schedule_feed_breaker_open",
    help: "1 while this process asks the feed nothing because it is down.",
    labelNames: ["feed"],
    aggregator: "max",
    registers: [registry],
    collect() {
      for (const { name } of feeds) this.set({ feed: name }, client.isBreakerOpen(name) ? 1 : 0);
    },
  });
  new Gauge({
    name: "boathook_port_calls",
    help: "Calls of vessels at ports that are kept, as last counted.",
    aggregator: "max",
    registers: [registry],
    collect() {
      const calls = maintenance.callCount();
      if (calls !== null) this.set(calls);
    },
  });
}
