/** The simulated worlds that `try` runs the service on, and the files that tell the service where they are. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { openAirport } from "../simulate/airport.ts";
import { openHarbour } from "../simulate/harbour.ts";
import { openTrade, TRADE_SPEED_MAX } from "../simulate/trade.ts";
import type { Host } from "../host.ts";

/** A day of ships and flights passes in 86 seconds. */
export const WORLD_SPEED = 1_000;

/** So that the references of the guides are in it. */
const SEED = 1;
const BOXES = 1_000;
const WAYBILLS = 1_000;

export type TryWorlds = {
  /** References and waybills in transit. */
  readonly containers: readonly string[];
  readonly waybills: readonly string[];
  /** What the clock of ships and flights shows, milliseconds since the epoch. */
  worldMs(): number;
  /** The files of carriers, airlines and feeds, by the setting that names them. */
  readonly files: Readonly<Record<string, string>>;
};

/** Airlines push to `operator`, and try again until it listens. */
export async function openWorlds(
  folder: string,
  operator: { readonly url: string; readonly token: string },
  host: Host,
  opened: AsyncDisposableStack,
): Promise<TryWorlds> {
  const { clock } = host;
  const startMs = clock.nowMs();
  const world = { seed: SEED, startMs, speed: WORLD_SPEED, clock, port: 0 };
  const harbour = await openHarbour({ ...world, boxes: BOXES });
  opened.defer(() => harbour.close());
  const airport = await openAirport({ ...world, waybills: WAYBILLS, operator, warn: () => {} });
  opened.defer(() => airport.close());
  const trade = await openTrade({ ...world, speed: TRADE_SPEED_MAX });
  opened.defer(() => trade.close());

  const files: Record<string, string> = {};
  for (const [setting, name, entries] of [
    ["BOATHOOK_CARRIERS_FILE", "carriers.json", harbour.carriers],
    ["BOATHOOK_AIRLINES_FILE", "airlines.json", airport.airlines],
    ["BOATHOOK_SCHEDULES_FILE", "schedules.json", trade.feeds],
  ] as const) {
    files[setting] = join(folder, name);
    await writeFile(files[setting], JSON.stringify(entries));
  }
  return {
    containers: harbour.shown.map(({ reference }) => reference),
    waybills: airport.shown.map(({ awb }) => awb),
    worldMs: () => startMs + (clock.nowMs() - startMs) * WORLD_SPEED,
    files,
  };
}
