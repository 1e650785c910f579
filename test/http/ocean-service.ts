/** A service whose container routes work on the store, with carriers that answer what a test stores for them. */
import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import { containerRoutes } from "../../src/products/ocean/routes/routes.ts";
import type { PublicOptions } from "../../src/http/server.ts";
import { aboardOf } from "../../src/products/ocean/record/aboard.ts";
import { attentionOf } from "../../src/products/ocean/record/attention.ts";
import { mapPositionOf } from "../../src/products/ocean/record/map-position.ts";
import type { ShipmentRecord } from "../../src/products/ocean/record/shipment-record.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { HERON, TERN } from "../ocean/shipping-lines.ts";
import { sendWithKey, startService, type Answer, type Method, type TestService } from "../support/service.ts";

export const CONTAINERS = "/tracking/v1/containers";
export const PUBLIC = "/tracking/public/containers";
export const NOBODYS = "01900000-0000-7000-8000-000000000002";

export type OceanService = TestService & {
  /** A request to a container route: `path` begins behind `/v1/containers`. */
  ask(
    key: string,
    method: Method,
    path?: string,
    payload?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Starts tracking and gives the id. */
  track(key: string, reference: string, carrier?: string): Promise<string>;
  /** What a poll of the carrier would have stored, at the clock's time. */
  learn(id: string, known: ShipmentRecord): Promise<void>;
  /** What a poll without an answer would have stored. */
  fail(id: string, failure: string): Promise<void>;
  /** Ends a shipment's polling. */
  endPolling(id: string): Promise<void>;
};

export async function startOceanService(options: Partial<PublicOptions> = {}): Promise<OceanService> {
  const ports = {
    get database() {
      return service.test.database;
    },
    get index() {
      const { clock, test } = service;
      return createReferenceIndex({ ...test, clock });
    },
    get clock() {
      return service.clock;
    },
    get directory() {
      return service.test.cells[0]!;
    },
    carriers: [HERON, TERN],
    random: systemRandom(),
    unresolvedMax: 1_000,
    wake: () => undefined,
  };
  const service: TestService = await startService({
    ...options,
    productRoutes: new Map([["tracking", containerRoutes(ports)]]),
  });
  /** In whichever cell it is. */
  async function update(sql: string, ...values: unknown[]): Promise<void> {
    const { cells, queryEach } = service.test;
    const changed = await queryEach(cells, `${sql} returning 1`, values);
    if (changed.length !== 1) throw new Error(`${changed.length} shipments were changed`);
  }
  const ask: OceanService["ask"] = (key, method, path = "", payload, headers) =>
    sendWithKey(service, key, method, CONTAINERS + path, payload, headers);
  return Object.assign(service, {
    ask,
    async track(key: string, reference: string, carrier?: string): Promise<string> {
      const started = await ask(key, "POST", "", {
        reference,
        ...(carrier === undefined ? {} : { carrier }),
      });
      if (started.status !== 201) throw new Error(JSON.stringify(started.body));
      return started.body.id as string;
    },
    async learn(id: string, known: ShipmentRecord): Promise<void> {
      const nowMs = service.clock.nowMs();
      await update(
        `update cell.shipments
         set carrier = $2, status = $3, eta = $4, record = $5, position = $6, attention = $7, vessels = $8
         where id = $1`,
        ...[id, ...stateOf(known, nowMs)],
      );
      await update(
        `update cell.polls set source = $2, refreshed_at = $3, next_poll_at = $4, failures = 0, failure = null
         where shipment_id = $1`,
        ...[id, known.carrier, new Date(nowMs), new Date(nowMs + 3_600_000)],
      );
    },
    fail: (id: string, failure: string) =>
      update("update cell.polls set failures = 1, failure = $2 where shipment_id = $1", id, failure),
    endPolling: (id: string) =>
      update("update cell.polls set next_poll_at = null where shipment_id = $1", id),
  });
}

/** From the carrier to the vessels, in the order of the update. */
function stateOf(known: ShipmentRecord, nowMs: number): readonly unknown[] {
  const position = mapPositionOf(known);
  return [
    ...[known.carrier, known.status, known.eta === null ? null : new Date(known.eta.at.ms)],
    ...[JSON.stringify(known), position === null ? null : JSON.stringify(position)],
    ...[attentionOf(known, nowMs).join(",") || null, aboardOf(known)?.imos ?? null],
  ];
}
