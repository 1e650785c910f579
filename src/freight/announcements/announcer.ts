/**
 * Announces changelog entries: on the day of each, `api_change_announced` to every account with an endpoint that
 * subscribes to it, once (spec 6.2: api_change_announced; 6.3: api_change_announced; 6.5: once). Every node checks;
 * the first to record an entry adds its broadcast in the same transaction.
 *
 *     idle ─(everyMs)─▶ an entry's day has come ─▶ recorded, and broadcast ─▶ idle
 *       │                                      ├─ recorded before ─▶ idle
 *       │                                      └─ no database, or a crash: neither
 *       └──── stop: the running transaction ends ────▶ stopped
 */
import { failureLevel } from "../../model/errors.ts";
import { utcDay } from "../../model/instant.ts";
import { createInterval, type Interval } from "../../runtime/interval.ts";
import { startAnnouncing, recordAnnouncement } from "./store/announcements.ts";
import type { Broadcast } from "../broadcasts/store/broadcasts.ts";
import type { Cell } from "../../store/cell.ts";
import { notifyWork } from "../../store/endpoints/invalidations.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { perCell } from "../../store/per-cell.ts";
import type { Changelog } from "./changelog.ts";
import { isAnnounced, type ChangelogEntry, announcementOf, type Publication } from "./entry.ts";
import { broadcastInsert } from "../broadcasts/store/broadcasts.sql.ts";

export type AnnouncerPorts = Omit<NodeContext, "cells"> & {
  readonly cells: readonly Cell[];
  /** A broadcast has been added. */
  readonly wakeBroadcaster: (cell: Cell) => void;
};

/** Between two checks for entries whose day has come. */
export const ANNOUNCER_INTERVAL_MS = 30_000;

export function createAnnouncer(
  ports: AnnouncerPorts,
  changelog: Changelog,
  publication: Publication,
  everyMs: number = ANNOUNCER_INTERVAL_MS,
): Interval {
  const { cells, log } = ports;
  const announce = perCell((cell) => announceIn(ports, cell, changelog, publication));
  const logFailure = (cause: unknown): void =>
    log[failureLevel(cause)]({ cause }, "a change of the API could not be announced; the next check retries");
  const check = async (isStopped: () => boolean): Promise<void> => {
    for (const cell of cells) {
      if (isStopped()) return;
      // A cell that fails must not stop the others.
      await announce(cell)().catch(logFailure);
    }
  };
  return createInterval(ports, { name: "announcements", everyMs }, check, logFailure);
}

/** Announces in one cell all entries whose day has come. */
function announceIn(
  { database, wakeBroadcaster, clock, random, log }: AnnouncerPorts,
  cell: Cell,
  changelog: Changelog,
  publication: Publication,
): () => Promise<void> {
  let since: string | null = null;
  /** Entries that need no statement any more. */
  const announced = new Set<string>();

  return async () => {
    // Also without an entry to announce: a later entry must not seem older than the start.
    since ??= await startAnnouncing(database, cell, utcDay(clock.nowMs()));
    for (const entry of changelog) {
      const atMs = clock.nowMs();
      if (announced.has(entry.id) || entry.announced_at < since || !isAnnounced(entry, atMs)) continue;
      const isFirst = await database.transaction(async (tx) => {
        if (!(await recordAnnouncement(tx, cell, entry.id, atMs))) return false;
        await broadcastInsert(tx, cell, [broadcastOf(entry, publication, random.uuid(atMs), atMs)]);
        await notifyWork(tx, cell);
        return true;
      });
      announced.add(entry.id);
      if (!isFirst) continue;
      log.info({ entry: entry.id, cell: cell.number }, "a change of the API is announced");
      wakeBroadcaster(cell);
    }
  };
}

function broadcastOf(
  entry: ChangelogEntry,
  publication: Publication,
  id: string,
  occurredAtMs: number,
): Broadcast {
  const type = "api_change_announced";
  const data = JSON.stringify(announcementOf(entry, publication));
  return { id, product: publication.product, type, data, occurredAtMs, dedupKey: `${type}:${entry.id}` };
}
