/**
 * Loads rates, and removes one. Each is one transaction of the rates, the current rates of their lanes, and the
 * events. Loading the same rates again changes nothing.
 */
import { utcDay } from "../../../model/instant.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { ProductCells } from "../../../store/homes/product-cells.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import { addLanes, lockRateDay, storeRates } from "../store/rate-lanes.ts";
import { updateCurrentRates } from "./current-rates.ts";
import { offeredLaneColumns, offeredLaneKey, priceColumns, type LaneRate } from "./lane.ts";
import { layerNumber } from "./layers.ts";
import { termsText } from "./terms.ts";
import type { RateProblem, ReadRates } from "./read-rates.ts";
import { laneRateRemove } from "../store/lane-rates.sql.ts";
import { rateLaneFind } from "../store/rate-lanes.sql.ts";

export type RatePorts = Pick<NodeContext, "database" | "cells" | "clock" | "random"> & {
  readonly productCells: Pick<ProductCells, "of">;
};

export type LoadResult = {
  /** Rates that were written. */
  readonly loaded: number;
  /** Of those, rates that replace one with the same lane, layer and first day. */
  readonly replaced: number;
  readonly unchanged: number;
  /** Lanes whose current rate changes today; each raises an event. */
  readonly changes: number;
};

export const NOTHING_LOADED: LoadResult = { loaded: 0, replaced: 0, unchanged: 0, changes: 0 };

export type FileLoadResult = LoadResult & {
  /** False: no line is right, or a strict load has a problem. */
  readonly hasLoaded: boolean;
  readonly lines: number;
  readonly refused: number;
  readonly problems: readonly RateProblem[];
};

/** Loads the lines of a file that are right; in a strict load, a single problem stops all. */
export async function loadFile(
  ports: RatePorts,
  { lines, rates, problems }: Extract<ReadRates, { kind: "rates" }>,
  isStrict: boolean,
): Promise<FileLoadResult> {
  const hasLoaded = rates.length > 0 && !(isStrict && problems.length > 0);
  const loaded = hasLoaded ? await loadRates(ports, rates) : NOTHING_LOADED;
  return { hasLoaded, lines, ...loaded, refused: problems.length, problems };
}

const RATES_PER_STATEMENT_MAX = 500;

/** No two rates have the same lane, layer and first day: `readRates` sees to it. */
export function loadRates(ports: RatePorts, rates: readonly LaneRate[]): Promise<LoadResult> {
  const { database, productCells, clock } = ports;
  const cell = productCells.of("rates");
  return database.transaction(async (tx) => {
    const atMs = clock.nowMs();
    const day = await lockRateDay(tx, cell, utcDay(atMs));
    const laneIds = new Set<string>();
    let [loaded, replaced] = [0, 0];
    for (let start = 0; start < rates.length; start += RATES_PER_STATEMENT_MAX) {
      const stored = await storeBatch(
        tx,
        ports,
        cell,
        rates.slice(start, start + RATES_PER_STATEMENT_MAX),
        atMs,
      );
      for (const laneId of stored.laneIds) laneIds.add(laneId);
      loaded += stored.laneIds.length;
      replaced += stored.replaced;
    }
    const changes = await updateCurrentRates(tx, ports, cell, [...laneIds], { day, atMs, cause: "loaded" });
    return { loaded, replaced, unchanged: rates.length - loaded, changes };
  });
}

async function storeBatch(
  tx: Connection,
  { random }: RatePorts,
  cell: Cell,
  rates: readonly LaneRate[],
  atMs: number,
) {
  const lanes = [...new Map(rates.map(({ lane }) => [offeredLaneKey(lane), lane]))];
  const columns = lanes.map(([, lane]) => offeredLaneColumns(lane));
  const found = (await rateLaneFind(tx, cell, columns)).map(({ id }) => id);
  const withIds = columns.map((lane, at) => ({ ...lane, id: found[at] ?? random.uuid(atMs) }));
  const added = withIds.filter((_lane, at) => found[at] === null);
  await addLanes(tx, cell, added, atMs);
  const idOf = new Map(lanes.map(([key], at) => [key, withIds[at]!.id]));
  const stored = rates.map((rate) => ({
    id: random.uuid(atMs),
    laneId: idOf.get(offeredLaneKey(rate.lane))!,
    layer: layerNumber(rate.layer),
    validFrom: rate.validFrom,
    validTo: rate.validTo,
    ...priceColumns(rate),
    terms: termsText(rate.terms),
  }));
  return storeRates(tx, cell, stored, atMs);
}

/** Takes a rate out of force; history keeps it. Returns today's changes; null: no such rate is in force. */
export async function removeLaneRate(ports: RatePorts, rateId: string): Promise<number | null> {
  const { database, productCells, clock } = ports;
  const cell = productCells.of("rates");
  return database.transaction(async (tx) => {
    const atMs = clock.nowMs();
    const day = await lockRateDay(tx, cell, utcDay(atMs));
    const laneId = (await laneRateRemove(tx, cell, { rateId, at: atMs }))?.laneId ?? null;
    return laneId === null
      ? null
      : updateCurrentRates(tx, ports, cell, [laneId], { day, atMs, cause: "removed" });
  });
}
