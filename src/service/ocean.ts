/** The ocean product's running parts: whom it asks, when, and what clients may do with their shipments. */
import { readFile } from "node:fs/promises";

import type { Registry } from "prom-client";
import { Agent } from "undici";

import type { Engine } from "../engine/engine.ts";
import type { OceanTracking } from "../http/ocean/tracking.ts";
import { carrierCallbacks, type CarrierCallbacks } from "../producers/ocean/callback.ts";
import { readCarriers, type Carrier } from "../producers/ocean/carriers.ts";
import { createCarrierDesk } from "../producers/ocean/desk.ts";
import { createTariffBook } from "../producers/ocean/demurrage/tariff-book.ts";
import { createPoller, POLLER_DEFAULTS, type PollerSettings } from "../producers/ocean/poller.ts";
import { POLL_DEFAULTS } from "../producers/ocean/schedule.ts";
import { lookUp } from "../producers/ocean/look-up.ts";
import {
  getShipment,
  listShipments,
  recheck,
  startTracking,
  stopTracking,
} from "../producers/ocean/track.ts";
import { httpOn } from "../producers/upstream/http.ts";
import type { CheckEventData } from "../products/check.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Random } from "../runtime/random.ts";
import type { Settings } from "../runtime/settings.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { watchPolling } from "./polling-metrics.ts";
import { ServiceRefused } from "./refused.ts";
import { startVessels } from "./vessels.ts";

export type OceanSettings = Pick<
  Settings,
  | "carriersFile"
  | "aisFile"
  | "pollIntervalMs"
  | "pollNearIntervalMs"
  | "pollOpenMax"
  | "pollOpenPerCarrierMax"
  | "pollLeaseMs"
>;

export type OceanPorts = {
  readonly database: Database;
  readonly cells: readonly [Cell, ...Cell[]];
  readonly engine: Pick<Engine, "raiseWithin">;
  readonly check: CheckEventData;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Where metrics are registered. */
  readonly registry: Registry;
};

export type Ocean = {
  readonly tracking: OceanTracking;
  /** What carriers push. */
  readonly callbacks: CarrierCallbacks;
  /** Asks no carrier any more; resolves when nobody is being asked. */
  stop(): Promise<void>;
};

/** Starts polling where `polls` says so; tracking works without it, and another node's poller looks. */
export async function startOcean(settings: OceanSettings, polls: boolean, ports: OceanPorts): Promise<Ocean> {
  const { database, cells, engine, check, clock, random, log } = ports;
  const carriers = settings.carriersFile === null ? [] : await carriersIn(settings.carriersFile);
  const agent = new Agent({ allowH2: false });
  const http = httpOn(agent, clock);
  const desk = createCarrierDesk({ carriers, http, clock, random });
  const book = await createTariffBook(database, cells[0], clock, log);
  const vessels = await startVessels(settings.aisFile, polls, { ...ports, http }).catch((cause: unknown) => {
    book.stop();
    throw cause;
  });
  const onLook = watchPolling({
    registry: ports.registry,
    database,
    cells,
    clock,
    carriers: carriers.map(({ scac }) => scac),
    isOpen: desk.isOpen,
  });
  const poller = createPoller(
    {
      database,
      carriers,
      desk,
      tariffs: book.tariffs,
      vesselAt: vessels.vesselAt,
      onLook,
      raiseWithin: (cell, change) => engine.raiseWithin(cell, change),
      check,
      clock,
      random,
      log,
      polling: {
        ...POLL_DEFAULTS,
        intervalMs: settings.pollIntervalMs,
        nearIntervalMs: settings.pollNearIntervalMs,
      },
    },
    cells,
    pollerSettings(settings),
  );
  if (polls) poller.start();
  const track = { database, carriers, clock, random, wake: poller.wake };
  return {
    tracking: {
      start: (cell, input) => startTracking(track, cell, input),
      recheck: (cell, accountId, id) => recheck(track, cell, accountId, id),
      read: (cell, accountId, id) => getShipment(track, cell, accountId, id),
      stop: (cell, accountId, id) => stopTracking(track, cell, accountId, id),
      list: (cell, accountId, wanted) => listShipments(track, cell, accountId, wanted),
      lookUp: (reference) => lookUp(database, cells, reference),
    },
    callbacks: carrierCallbacks({ database, cells, carriers, wake: poller.wake }),
    async stop() {
      book.stop();
      vessels.stop();
      if (polls) await poller.stop();
      await agent.destroy();
      await vessels.ended();
    },
  };
}

function pollerSettings(settings: OceanSettings): PollerSettings {
  return {
    ...POLLER_DEFAULTS,
    idleMs: Math.min(POLLER_DEFAULTS.idleMs, settings.pollIntervalMs),
    leaseMs: settings.pollLeaseMs,
    lanePlaces: settings.pollOpenPerCarrierMax,
    openMax: settings.pollOpenMax,
  };
}

async function carriersIn(file: string): Promise<readonly Carrier[]> {
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new ServiceRefused(`BOATHOOK_CARRIERS_FILE cannot be read: ${cause.message}.`, { cause });
  });
  const read = readCarriers(text);
  if (read.kind === "carriers") return read.carriers;
  throw new ServiceRefused(`BOATHOOK_CARRIERS_FILE (${file}) is wrong: ${read.problems.join("; ")}.`);
}
