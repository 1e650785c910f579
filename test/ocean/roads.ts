/** Carriers on loopback that do as a test tells them, and the search for one that knows a reference. */
import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { Agent } from "undici";

import type { Found } from "../../src/products/ocean/sources/poll-carriers.ts";
import type { Carrier } from "../../src/products/ocean/sources/carriers.ts";
import { createCarrierClient } from "../../src/products/ocean/sources/carrier-client.ts";
import {
  findCarrier,
  type FindCarrierPorts,
  type Refusal,
  type SoughtShipment,
} from "../../src/products/ocean/sources/find-carrier.ts";
import { createHttpPort } from "../../src/freight/upstream/http.ts";
import { manualClock, START_MS, type ManualClock } from "../support/clock.ts";
import { realClock } from "../support/real-clock.ts";

/** What one carrier does with a request for events. */
export type Conduct = (query: URLSearchParams, response: ServerResponse) => void;

export const unknown: Conduct = (_, response) => void response.writeHead(404).end();
export const down: Conduct = (_, response) => void response.writeHead(503).end();
export const forbids: Conduct = (_, response) => void response.writeHead(403).end();
export const hangs: Conduct = () => undefined;
export const busy =
  (seconds: number): Conduct =>
  (_, response) =>
    void response.writeHead(503, { "retry-after": String(seconds) }).end();
export const knows =
  (...events: readonly object[]): Conduct =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(events));

const DAY_MS = 24 * 3_600_000;

const move = (code: string, emptyIndicatorCode: string, atMs: number): object => ({
  eventType: "EQUIPMENT",
  equipmentEventTypeCode: code,
  eventClassifierCode: "ACT",
  eventDateTime: new Date(atMs).toISOString(),
  equipmentReference: "MSKU1234565",
  emptyIndicatorCode,
  transportCall: { UNLocationCode: "NLRTM", modeOfTransport: code === "DISC" ? "VESSEL" : "TRUCK" },
});

/** A box discharged yesterday, and one returned so many days ago. */
export const liveTrip: readonly object[] = [move("DISC", "LADEN", START_MS - DAY_MS)];
export const endedTrip = (daysAgo: number): readonly object[] => [
  move("DISC", "LADEN", START_MS - (daysAgo + 2) * DAY_MS),
  move("GTIN", "EMPTY", START_MS - daysAgo * DAY_MS),
];

/** What is sought; `trackedForMs` is how long it has been tracked. */
export type Search = Partial<SoughtShipment> & { readonly trackedForMs?: number };

export type Roads = {
  /** By SCAC; a carrier without an entry knows nothing. */
  conduct: Record<string, Conduct>;
  /** SCAC and query of each request, in the order of their coming. */
  asked: string[];
  carriers(...scacs: readonly string[]): readonly Carrier[];
  /** Time stands until the clock is moved; the network takes its own. */
  search(
    carriers: readonly Carrier[],
    more?: Search,
  ): { readonly clock: ManualClock; readonly found: Promise<Found | Refusal> };
  /** The SCAC of the carrier found, or the failure. */
  outcomeOf(carriers: readonly Carrier[], more?: Search): Promise<string>;
  untilAsked(count: number): Promise<void>;
  close(): Promise<void>;
};

export async function openRoads(): Promise<Roads> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://loopback");
    const scac = url.pathname.split("/")[1] ?? "";
    roads.asked.push(`${scac}${url.search}`);
    (roads.conduct[scac] ?? unknown)(url.searchParams, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const agent = new Agent();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const roads: Roads = {
    conduct: {},
    asked: [],
    carriers: (...scacs) =>
      scacs.map((scac) => ({ scac, name: scac, api: "dcsa-tnt-2.2", baseUrl: `${origin}/${scac}` })),
    search(carriers, more = {}) {
      const clock = manualClock();
      const random = { fraction: () => 0.5 };
      const desk = createCarrierClient({
        carriers,
        http: createHttpPort(agent, realClock),
        clock: realClock,
        random,
      });
      const ports: FindCarrierPorts = { carriers, clock, client: desk };
      const sought: SoughtShipment = {
        reference: "MSKU1234565",
        identifierType: "container_id",
        carrierHint: null,
        carrier: null,
        answerDigest: null,
        failures: 0,
        createdAt: new Date(START_MS - (more.trackedForMs ?? 0)),
        ...more,
      };
      return { clock, found: findCarrier(ports, sought, 60_000) };
    },
    async outcomeOf(carriers, more) {
      const found = await roads.search(carriers, more).found;
      return found.kind === "found" ? found.carrier.scac : found.failure;
    },
    async untilAsked(count) {
      const deadlineMs = realClock.monotonicMs() + 10_000;
      while (roads.asked.length < count) {
        assert.ok(realClock.monotonicMs() < deadlineMs, `only ${roads.asked.join(", ")} were asked`);
        await new Promise((resolve) => void setImmediate(resolve));
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await agent.destroy();
    },
  };
  return roads;
}
