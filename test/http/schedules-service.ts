/** A service whose public routes of schedules read what feeds have said on its store. */
import { scheduleRoutes } from "../../src/products/schedules/routes/routes.ts";
import type { PublicOptions } from "../../src/http/server.ts";
import type { CallStatement, FeedUpdate } from "../../src/products/schedules/calls/call-statement.ts";
import { ingest } from "../../src/products/schedules/calls/ingest.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cell } from "../../src/store/cell.ts";
import { DAY_MS, said, type Said } from "../schedules/statements.ts";
import { SETTINGS } from "../schedules/scene.ts";
import { START_MS } from "../support/clock.ts";
import { send, startService, type Answer, type TestService } from "../support/service.ts";

export type SchedulesService = TestService & {
  /** What a feed says, now by the service's clock. */
  say(calls: readonly CallStatement[], more?: Partial<FeedUpdate>): Promise<void>;
  /** `path` begins behind `/schedules/public`. */
  ask(path: string, from?: string): Promise<Answer>;
  /** Forgets all. */
  clear(): Promise<void>;
};

export const DUSK = { imo: "9321495", name: "HERON DUSK", isDummy: false };

export const onDay = (day: number): number => START_MS + day * DAY_MS;

/** A call that arrives on that day and leaves a day later. */
export function callOn(port: string, day: number, more: Said = {}): CallStatement {
  return said({
    port,
    arrival: { estimated: onDay(day) },
    departure: { estimated: onDay(day + 1) },
    ...more,
  });
}

export async function startSchedulesService(options: Partial<PublicOptions> = {}): Promise<SchedulesService> {
  const routes = scheduleRoutes({ reliabilityWindowDays: 90, transshipmentMs: DAY_MS });
  const productRoutes = new Map([["schedules", routes]]);
  const service = await startService({ ...options, productRoutes }, { cells: 1 });
  const ports = {
    database: service.test.database,
    cells: service.test.cells as readonly [Cell, ...Cell[]],
    cell: service.test.productCells.of("schedules"),
    random: systemRandom(),
    clock: service.clock,
    check: createEventDataCheck(products),
    wake: () => undefined,
  };
  return Object.assign(service, {
    async say(calls: readonly CallStatement[], more: Partial<FeedUpdate> = {}): Promise<void> {
      const atMs = service.clock.nowMs();
      await ingest(ports, SETTINGS, { feed: "ovs", atMs, calls, complete: null, ...more });
    },
    async clear(): Promise<void> {
      await service.test.queryIn(
        ports.cell,
        "truncate cell.port_calls, cell.routings, cell.service_reliability, cell.schedule_days",
      );
    },
    ask: (path: string, from = "198.51.100.1") =>
      send(service.api, {
        method: "GET",
        url: `/schedules/public${path}`,
        headers: { "x-forwarded-for": from },
      }),
  });
}
