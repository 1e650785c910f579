/** The AIS reports of vessels: the reports in the store, and the feed that this process polls. */
import { Counter, Gauge, type Registry } from "prom-client";

import { createAisClient, type AisClient } from "./sources/ais/ais-client.ts";
import type { AisFeed } from "./sources/ais/ais-file.ts";
import { createVesselReports, type VesselReports } from "./sources/ais/vessel-reports.ts";
import { createAisPoller } from "./sources/ais/ais-poller.ts";
import type { UpstreamPorts } from "../../freight/upstream/upstream.ts";
import type { Interval } from "../../runtime/interval.ts";
import type { NodeContext } from "../../store/node-context.ts";

export type VesselPorts = NodeContext &
  Pick<UpstreamPorts, "http" | "shareQuota" | "onUpstreamAnswer" | "onUpstreamSkipped"> & {
    readonly registry: Registry;
  };

export type Vessels = Awaited<ReturnType<typeof startVessels>>;

/** Without `polls`, another process polls, and this one needs no reports. */
export async function startVessels(feed: AisFeed | null, polls: boolean, ports: VesselPorts) {
  if (!polls) return { vesselReportOf: () => null, stop: async () => undefined };
  const reports = await createVesselReports(ports);
  countReports(ports.registry, reports);
  const watch = feed === null ? null : createPollerOf(feed, ports);
  watch?.start();
  return {
    vesselReportOf: reports.reportOf,
    /** Resolves when open polls and reads have ended, or after a bounded wait. */
    async stop(): Promise<void> {
      await Promise.all([watch?.stop(), reports.stop()]);
    },
  };
}

function createPollerOf(feed: AisFeed, ports: VesselPorts): Interval {
  const client = createAisClient(feed, ports);
  const answers = countAnswers(ports.registry, client);
  return createAisPoller(feed, { ...ports, client, onAnswer: (outcome) => answers.inc({ outcome }) });
}

function countAnswers(registry: Registry, client: AisClient): Counter<"outcome"> {
  new Gauge({
    name: "boathook_ais_breaker_open",
    help: "1 while this process does not poll the AIS feed because it is down.",
    aggregator: "max",
    registers: [registry],
    collect() {
      this.set(client.isBreakerOpen() ? 1 : 0);
    },
  });
  return new Counter({
    name: "boathook_ais_answers_total",
    help: "Polls of the AIS feed for a vessel, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
}

function countReports(registry: Registry, reports: VesselReports): void {
  new Gauge({
    name: "boathook_vessel_reports",
    help: "Vessels whose report of the last hours is in the memory of this process.",
    aggregator: "max",
    registers: [registry],
    collect() {
      this.set(reports.count());
    },
  });
}
