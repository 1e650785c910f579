/** Shipments of a harbour, polled one by one as a test says, or by a poller on its clock. */
import assert from "node:assert/strict";

import { createReferenceIndex } from "../../../src/freight/reference-index/reference-index.ts";
import { POLLER_DEFAULTS } from "../../../src/freight/polling/poller.ts";
import type { PollReply } from "../../../src/freight/polling/poll-handler.ts";
import { createPollWriter } from "../../../src/freight/polling/poll-writer.ts";
import { claimDuePolls, type ClaimedShipment } from "../../../src/freight/polling/store/polls.ts";
import {
  createShipmentPollHandler,
  createPoller,
} from "../../../src/products/ocean/sources/poll-shipment.ts";
import {
  makeImportedDue,
  storeImport,
} from "../../../src/products/ocean/sources/imported/import-milestones.ts";
import type { MilestoneRow } from "../../../src/products/ocean/sources/imported/milestone.ts";
import {
  getShipment,
  recheck,
  startTracking,
  stopTracking,
} from "../../../src/products/ocean/tracking/track.ts";
import type { ShipmentDetail } from "../../../src/products/ocean/tracking/container-schema.ts";
import { MINUTE_MS } from "../../../src/runtime/durations.ts";
import { answered, type Harbour } from "../harbour.ts";
import { readAll } from "../imported/reading.ts";

export const LEASE_MS = 120_000;
export const BATCHES = { batchMax: 100, gatherMs: 0 };
/** Hours pass in tests: a look for what is due each minute is enough. */
const SETTINGS = { ...POLLER_DEFAULTS, gatherMs: 0, idleMs: MINUTE_MS };

/** From now on the carriers answer so. */
export function answers(harbour: Harbour, ...events: readonly object[]): void {
  harbour.answer = async () => answered(200, JSON.stringify(events));
}

/** A booking that is confirmed, and a vessel that has left at an hour of the first of November. */
export const BOOKED = {
  eventType: "SHIPMENT",
  shipmentEventTypeCode: "CONF",
  documentTypeCode: "BKG",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-10-20T09:00:00Z",
};
export const departed = (UNLocationCode: string, hour = 3) => ({
  eventType: "TRANSPORT",
  transportEventTypeCode: "DEPA",
  eventClassifierCode: "ACT",
  eventDateTime: `2026-11-01T${String(hour).padStart(2, "0")}:00:00+01:00`,
  transportCall: { UNLocationCode, modeOfTransport: "VESSEL" },
});

export type Tracked = {
  readonly accountId: string;
  readonly id: string;
  /** As its account sees it; it fails once it is not tracked. */
  read(): Promise<ShipmentDetail>;
  recheck(): Promise<boolean>;
  stop(): Promise<boolean>;
};

/** Of a new account unless one is given. */
export async function track(
  harbour: Harbour,
  reference: string,
  more: { readonly accountId?: string; readonly carrier?: string; readonly other_references?: object } = {},
  ports = harbour.ports,
): Promise<Tracked> {
  const { cell } = harbour;
  const accountId = more.accountId ?? (await harbour.account());
  const started = await startTracking(ports, cell, { reference, ...more, accountId });
  assert.ok(started.kind === "tracked", JSON.stringify(started));
  const { id } = started.shipment;
  return {
    accountId,
    id,
    async read() {
      const shipment = await getShipment(ports, cell, accountId, id);
      assert.ok(shipment, `${reference} is not tracked`);
      return shipment;
    },
    recheck: () => recheck(ports, cell, accountId, id),
    stop: () => stopTracking(ports, cell, accountId, id),
  };
}

/** What is due at once, of all carriers. */
export function claim({ ports, cell, clock }: Harbour, limit = 100): Promise<readonly ClaimedShipment[]> {
  const queues = ["", "HRNL", "TRNC"].map((source) => ({ source, limit }));
  return claimDuePolls(ports.database, cell, queues, clock.nowMs(), LEASE_MS);
}

export function poll(harbour: Harbour, claimed: ClaimedShipment, ports = harbour.ports): Promise<PollReply> {
  const deadlineMs = harbour.clock.monotonicMs() + LEASE_MS;
  return createShipmentPollHandler(ports, BATCHES).poll({ cell: harbour.cell, claimed, deadlineMs });
}

/** One poll, saved: its outcome, or what hindered its saving. */
export async function refresh(harbour: Harbour, claimed: ClaimedShipment, ports = harbour.ports) {
  const polled = await poll(harbour, claimed, ports);
  if (polled.kind === "postponed") return polled.kind;
  const saved = await createPollWriter(harbour.ports, harbour.cell, BATCHES)(polled.update);
  return saved.kind === "saved" ? polled.outcome : saved.kind;
}

/** The outcomes of all that is due. */
export async function refreshDue(harbour: Harbour): Promise<readonly string[]> {
  const outcomes: string[] = [];
  for (const claimed of await claim(harbour)) outcomes.push(await refresh(harbour, claimed));
  return outcomes;
}

/** A poller that runs, and shipments that it polls; stop it before the harbour goes. */
export function startPoller(harbour: Harbour, more: Partial<Harbour["ports"]> & object = {}) {
  const { clock, stored } = harbour;
  const poller = createPoller({ ...harbour.ports, ...more }, stored.cells, SETTINGS);
  const ports = { ...harbour.ports, ...more, wake: poller.wake };
  poller.start();
  return {
    stop: () => clock.drive(poller.stop()),
    async track(...[reference, wanted]: [string, Parameters<typeof track>[2]?]) {
      const tracked = await track(harbour, reference, wanted, ports);
      const holds = async (is: (shipment: ShipmentDetail) => boolean) => is(await tracked.read());
      return {
        ...tracked,
        start: (others: object) =>
          startTracking(ports, harbour.cell, { accountId: tracked.accountId, reference, ...others }),
        codes: async () =>
          (await tracked.read()).events.map(({ code, classifier }) => `${code} ${classifier}`),
        /** Without time passing. */
        atOnce: (what: string, is: (shipment: ShipmentDetail) => boolean) =>
          clock.atOnce(() => holds(is), what),
        until: (what: string, is: (shipment: ShipmentDetail) => boolean) =>
          clock.until(() => holds(is), what),
        /** Until it has been polled again, hours later. */
        async pollAgain() {
          clock.jump(5 * 60 * MINUTE_MS);
          const sinceMs = clock.nowMs();
          await clock.until(
            () => holds(({ refreshed_at: at }) => Date.parse(at!) >= sinceMs),
            "the next poll",
          );
        },
      };
    },
    /** Stores milestones as an import does, and makes due what they concern. */
    async importRows(...rows: readonly MilestoneRow[]) {
      const { statements, problems } = readAll(JSON.stringify(rows), "json");
      assert.deepEqual(problems, []);
      const { database, cells } = stored;
      const index = createReferenceIndex({ database, cells, clock });
      const imported = await storeImport({ database, clock, index }, statements);
      for (const cell of await makeImportedDue({ database, clock, index }, imported.references))
        poller.wake(cell);
      return imported;
    },
  };
}
