/** The AIS reports of vessels: the reports in the store, and the feed that this process polls. */
import { Counter, Gauge, type Registry } from "prom-client";

import { createAisClient, type AisClient } from "./sources/ais/ais-client.ts";
import type { AisFeed } from "./sources/ais/ais-file.ts";
import { createVesselReports, type VesselReports } from "./sources/ais/vessel-reports.ts";
import { createAisPoller } from "./sources/ais/ais-poller.ts";
import type { RecordContext } from "./record/shipment-record.ts";
import type { HttpPort } from "../../freight/upstream/http.ts";
import type { Interval } from "../../runtime/interval.ts";
import type { NodeContext } from "../../store/node-context.ts";

export type VesselPorts = NodeContext & {
  readonly http: HttpPort;
  readonly registry: Registry;
};

export type Vessels = {
  readonly vesselReportOf: NonNullable<RecordContext["vesselReportOf"]>;
  /** Resolves when open polls and reads have ended, or after a bounded wait. */
  stop(): Promise<void>;
};

/** Without `polls`, another process polls, and this one needs no reports. */
export async function startVessels(
  feed: AisFeed | null,
  polls: boolean,
  ports: VesselPorts,
): Promise<Vessels> {
  if (!polls) return { vesselReportOf: () => null, stop: async () => undefined };
  const reports = await createVesselReports(ports);
  countReports(ports.registry, reports);
  const watch = feed === null ? null : createPollerOf(feed, ports);
  watch?.start();
  return {
    vesselReportOf: reports.reportOf,
    async stop() {
      await Promise.all([watch?.stop(), reports.stop()]);
    },
  };
}

function createPollerOf(feed: AisFeed, ports: VesselPorts): Interval {
  const desk = createAisClient(feed, ports);
  const answers = countAnswers(ports.registry, desk);
  return createAisPoller(feed, { ...ports, client: desk, onAnswer: (outcome) => answers.inc({ outcome }) });
}

function countAnswers(registry: Registry, desk: AisClient): Counter<"outcome"> {
  new Gauge({
    name: "boathook_ais_breaker_open",
    help: "1 while this process does not poll the AIS feed because it is down.",
    registers: [registry],
    collect() {
      this.set(desk.isBreakerOpen() ? 1 : 0);
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
    registers: [registry],
    collect() {
      this.set(reports.count());
    },
  });
}
