/** What vessels report of themselves, for the looks of this process: a feed that it asks, and what any node was told. */
import { Counter, Gauge, type Registry } from "prom-client";

import { createAisDesk, type AisDesk } from "../producers/ocean/ais/ais-desk.ts";
import type { AisFeed } from "../producers/ocean/ais/ais-file.ts";
import { createVesselReports, type VesselReports } from "../producers/ocean/ais/vessel-reports.ts";
import { createVesselWatch, type VesselWatch } from "../producers/ocean/ais/vessel-watch.ts";
import type { RecordContext } from "../producers/ocean/shipment-record.ts";
import type { HttpPort } from "../producers/upstream/http.ts";
import { within } from "../runtime/closing.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Random } from "../runtime/random.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";

export type VesselPorts = {
  readonly database: Database;
  readonly cells: readonly [Cell, ...Cell[]];
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  readonly log: Log;
  readonly registry: Registry;
};

export type Vessels = {
  readonly vesselAt: NonNullable<RecordContext["vesselAt"]>;
  /** Asks and reads no more. */
  stop(): void;
  /** Resolves when nothing is under way, once requests have been cut off, or after a bounded wait. */
  ended(): Promise<void>;
};

/** What ends with the requests is all that is waited for. */
const END_MS_MAX = 2_000;

/** Nobody is asked, and nothing read, where another process `polls`. */
export async function startVessels(
  feed: AisFeed | null,
  polls: boolean,
  ports: VesselPorts,
): Promise<Vessels> {
  if (!polls) return { vesselAt: () => null, stop: () => undefined, ended: async () => undefined };
  const reports = await createVesselReports(ports.database, ports.cells, ports.clock, ports.log);
  countReports(ports.registry, reports);
  const watch = feed === null ? null : watchWith(feed, ports);
  watch?.start();
  return {
    vesselAt: reports.vesselAt,
    stop() {
      watch?.stop();
      reports.stop();
    },
    async ended() {
      if (watch !== null) await within(ports.clock, END_MS_MAX, watch.ended());
    },
  };
}

function watchWith(feed: AisFeed, ports: VesselPorts): VesselWatch {
  const desk = createAisDesk(feed, ports);
  const answers = countAnswers(ports.registry, desk);
  return createVesselWatch(feed, { ...ports, desk, onAnswer: (outcome) => answers.inc({ outcome }) });
}

function countAnswers(registry: Registry, desk: AisDesk): Counter<"outcome"> {
  new Gauge({
    name: "boathook_ais_breaker_open",
    help: "1 while this process asks the AIS feed nothing because it is down.",
    registers: [registry],
    collect() {
      this.set(desk.isOpen() ? 1 : 0);
    },
  });
  return new Counter({
    name: "boathook_ais_answers_total",
    help: "Vessels that the AIS feed was asked for, by what came of it.",
    labelNames: ["outcome"],
    registers: [registry],
  });
}

function countReports(registry: Registry, reports: VesselReports): void {
  new Gauge({
    name: "boathook_vessel_reports",
    help: "Vessels of which this process knows what they have reported in the last hours.",
    registers: [registry],
    collect() {
      this.set(reports.count());
    },
  });
}
