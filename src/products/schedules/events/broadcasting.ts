/** What is to be told of schedules, as broadcasts in the transaction of the change that caused it. */
import type { CheckEventData } from "../../../model/event-check.ts";
import type { Random } from "../../../runtime/random.ts";
import { addBroadcasts } from "../../../freight/broadcasts/store/broadcasts.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection, Database } from "../../../store/database.ts";
import type { CallChange } from "./blank-sailing.ts";
import type { EventDraft } from "./event-draft.ts";
import type { ReliabilitySettings } from "../reliability/reliability.ts";

export const SCHEDULES_PRODUCT = "schedules";

export type SchedulePorts = {
  readonly database: Database;
  /** The first also stands for the directory, which all share. */
  readonly cells: readonly [Cell, ...Cell[]];
  readonly random: Pick<Random, "uuid">;
  readonly check: CheckEventData;
  /** Broadcasts have been added, and the transaction has ended. */
  readonly wake: () => void;
  /** What a transaction has made of calls, in that transaction: whom else it concerns. */
  readonly onCallsChanged?: (tx: Connection, changes: readonly CallChange[], atMs: number) => Promise<void>;
};

export type ScheduleSettings = {
  /** How long before a cut-off it is told of, in hours. */
  readonly cutOffHours: readonly number[];
  readonly reliability: ReliabilitySettings;
  /** The feeds that there are; without it, all that have ever told. */
  readonly feeds?: ReadonlySet<string>;
};

/** Throws when what we made is not of its kind's shape: a bug of ours. */
export async function broadcast(
  tx: Connection,
  { cells, random, check }: SchedulePorts,
  drafts: readonly EventDraft[],
  atMs: number,
): Promise<void> {
  const broadcasts = drafts.map(({ type, data, key }) => {
    const checked = check(SCHEDULES_PRODUCT, type, data);
    if (!checked.ok) throw new Error(`${type} has no right shape: ${checked.message}`);
    return {
      id: random.uuid(atMs),
      product: SCHEDULES_PRODUCT,
      type,
      data: JSON.stringify(data),
      occurredAtMs: atMs,
      dedupKey: key,
    };
  });
  if (broadcasts.length > 0) await addBroadcasts(tx, cells, broadcasts);
}
