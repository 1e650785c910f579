/** A service whose waybill routes use the store and a real poller; the test sets what airlines answer. */

import {
  createReferenceIndex,
  type ReferenceIndex,
} from "../../src/freight/reference-index/reference-index.ts";
import { POLLER_DEFAULTS, type Poller } from "../../src/freight/polling/poller.ts";
import { airRoutes } from "../../src/products/air/routes/routes.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import type { Airline } from "../../src/products/air/sources/airlines/airline-schema.ts";
import { createAirlineClient } from "../../src/products/air/sources/airline-client.ts";
import { createIsEntitled } from "../../src/products/air/polling/entitled.ts";
import { createAirPoller, wakeWaybills } from "../../src/products/air/polling/poller.ts";
import { storeMessages } from "../../src/products/air/sources/pushed-messages.ts";
import { AIR_POLL_DEFAULTS } from "../../src/products/air/polling/poll-schedule.ts";
import { createAwbTracking, type TrackAwb } from "../../src/products/air/tracking/track.ts";
import type { HttpAnswer, HttpPort } from "../../src/freight/upstream/http.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import type { Cells } from "../../src/store/cell.ts";
import { checkEvents } from "../support/check-deliveries.ts";
import {
  sendWithKey,
  createCaller,
  startService,
  type Answer,
  type TestService,
} from "../support/service.ts";
import { unwatchedLoops } from "../support/loops.ts";

/** Asked by status requests. */
const FALCON: Airline = {
  name: "Falcon Cargo",
  iata: "F8",
  prefixes: ["176", "901"],
  sources: [{ kind: "fsr", url: "https://falcon.example/fsr" }],
};

/** Only pushes. */
export const KITE: Airline = { name: "Kite Air", iata: "K7", prefixes: ["020"], sources: [{ kind: "push" }] };

export const AWB = "17612345675";
/** Of an airline that only pushes. */
export const PUSHED = "02012345675";
export const RCS = "RCS/01NOV0930/DXB/T10K250/FALCON";
export const BOOKED = "BKD/F8081/02NOV/DXBFRA/T10K250/S1400/S1830";

export type AirService = TestService & {
  /** How Falcon answers. */
  answer: HttpPort;
  /** What was asked of Falcon. */
  readonly asked: string[];
  readonly raised: RaisedEvent[];
  /** A key of a new account with the entitlement. */
  client(): Promise<string>;
  /** `GET /track/…`; time goes on while it waits. */
  track(key: string, awb: string): Promise<Answer>;
  /** What an airline pushes. */
  push(text: string): Promise<void>;
  /** Time goes on until this holds. */
  until(holds: () => boolean | Promise<boolean>): Promise<void>;
};

export function answered(status: number, body: string, headers: Record<string, string> = {}): HttpAnswer {
  return { kind: "answered", status, body, header: (name) => headers[name] ?? null };
}

/** A status answer of 176-12345675, DXB to FRA, ten pieces, with these lines. */
export function fsa(...lines: readonly string[]): HttpAnswer {
  return answered(200, ["FSA/14", "176-12345675DXBFRA/T10K250", ...lines, ""].join("\r\n"));
}

/** What an airline pushes of a waybill. */
export function fsu(awb: string, line: string): string {
  return `FSU/14\r\n${awb.slice(0, 3)}-${awb.slice(3)}DXBFRA/T10K250\r\n${line}\r\n`;
}

/** Of the poller, whose steps each take statements. */
const IDLE_MS = 30_000;

export async function startAirService(): Promise<AirService> {
  const random = systemRandom();
  let track: TrackAwb | null = null;
  let index: ReferenceIndex | null = null;
  const airlines = [FALCON, KITE];
  const routes = airRoutes(airlines, (...given) => track!(...given), {
    cellOf: (...given) => index!.cellOf(...given),
    cellsSince: (...given) => index!.cellsSince(...given),
  });
  const service = await startService({ productRoutes: new Map([["air", routes]]) }, { cells: 1 });
  const { clock, log } = service;
  const { database } = service.test;
  const cells = service.test.cells as Cells;
  const raised: RaisedEvent[] = [];
  const asked: string[] = [];
  const chance = { uuid: random.uuid, fraction: () => 0.5 };
  const http: HttpPort = (url, options) => {
    asked.push(url.href);
    return air.answer(url, options);
  };
  const desk = createAirlineClient({ airlines, http, clock, random: chance });
  const tracked = createReferenceIndex({ database, cells, clock });
  index = tracked;
  const poller: Poller = createAirPoller(
    {
      database,
      airlines,
      client: desk,
      cells,
      index: tracked,
      check: createEventDataCheck(products),
      clock,
      random: chance,
      log,
      loops: unwatchedLoops,
      polling: AIR_POLL_DEFAULTS,
      isEntitled: createIsEntitled({ database, cells, clock }, "aircargo"),
      async raiseWithin(_, change) {
        const events = await database.transaction(change);
        if (events === null) return null;
        raised.push(...events);
        checkEvents(events);
        return { accepted: events.length, duplicates: 0, deliveries: 0 };
      },
    },
    { ...POLLER_DEFAULTS, idleMs: IDLE_MS, gatherMs: 0 },
  );
  const { wake } = poller;
  track = createAwbTracking({ database, airlines, client: desk, index: tracked, clock, random, wake });
  poller.start();

  const air: AirService = Object.assign(service, {
    answer: async () => answered(404, ""),
    asked,
    raised,
    client: async () => (await createCaller(service, "tracking", ["aircargo"])).key,
    track: (key: string, awb: string) => clock.drive(sendWithKey(service, key, "GET", `/air/track/${awb}`)),
    async push(text: string) {
      const pushed = await storeMessages({ database, index: tracked, clock, random }, [Buffer.from(text)]);
      await wakeWaybills({ database, index: tracked, clock, wake }, pushed.awbs);
    },
    until: (holds: () => boolean | Promise<boolean>) => clock.until(holds, "the effects of what was done"),
  });
  const { close } = service;
  air.close = async () => {
    await poller.stop();
    await close();
  };
  return air;
}
