/** Broadcasts the drafted events, in the transaction of the change that causes them. */
import type { CheckEventData } from "../../../model/event-check.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Random } from "../../../runtime/random.ts";
import { addBroadcasts } from "../../../freight/broadcasts/store/broadcasts.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import type { ReliabilitySettings } from "../reliability/reliability.ts";
import type { CallChange } from "./blank-sailing.ts";
import type { EventDraft } from "./event-draft.ts";

const SCHEDULES_PRODUCT = "schedules";

export type SchedulePorts = Pick<NodeContext, "database" | "cells"> & {
  /** That of the record. */
  readonly cell: Cell;
  readonly random: Pick<Random, "uuid">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly check: CheckEventData;
  /** A transaction that wrote broadcasts or changed calls has ended. */
  readonly wake: () => void;
  /** Runs in the transaction that changes the calls. */
  readonly onCallsChanged?: (
    tx: Connection,
    source: Cell,
    changes: readonly CallChange[],
    atMs: number,
  ) => Promise<void>;
};

export type ScheduleSettings = {
  /** How many hours before a cut-off to warn. */
  readonly cutOffHours: readonly number[];
  readonly reliability: ReliabilitySettings;
  /** The configured feeds; without it, every feed that has reported counts. */
  readonly feeds?: ReadonlySet<string>;
};

/** Throws if a draft does not have the shape of its type: a bug. */
export async function broadcast(
  tx: Connection,
  { cell, cells, random, check }: SchedulePorts,
  drafts: readonly EventDraft[],
  atMs: number,
): Promise<void> {
  const broadcasts = drafts.map(({ type, data, key }) => {
    const checked = check(SCHEDULES_PRODUCT, type, data);
    if (!checked.ok) throw new Error(`${type} has the wrong shape: ${checked.message}`);
    return {
      id: random.uuid(atMs),
      product: SCHEDULES_PRODUCT,
      type,
      data: JSON.stringify(data),
      occurredAtMs: atMs,
      dedupKey: key,
    };
  });
  await addBroadcasts(tx, cell, cells, broadcasts, atMs);
}
