/**
 * Announces changelog entries: on the day of each, `api_change_announced` to every account that has an
 * endpoint which takes it, once (spec 6.3: api_change_announced; 6.5: once). Every node looks; whoever is the
 * first to write down that an entry is announced adds the broadcast in the same transaction.
 *
 *     idle ─(some time)─▶ an entry's day has come ─▶ noted, and broadcast ─▶ idle
 *       │                                       ├─ it was noted before ─▶ idle
 *       │                                       └─ no database, or a crash: neither
 *       └──── stop: the transaction under way ends ────▶ stopped
 */
import { failureLevel } from "../../model/errors.ts";
import { utcDay } from "../../model/instant.ts";
import { createInterval, type Interval } from "../../runtime/interval.ts";
import { announcementStart, recordAnnouncement } from "./store/announcements.ts";
import { addBroadcasts, type Broadcast } from "../broadcasts/store/broadcasts.ts";
import type { Cell } from "../../store/cell.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { announcementOf, type Publication } from "./announcement.ts";
import type { Changelog } from "./changelog.ts";
import { isAnnounced, type ChangelogEntry } from "./entry.ts";

export type AnnouncerPorts = Omit<NodeContext, "cells"> & {
  /** A broadcast has been added. */
  readonly wakeBroadcaster: () => void;
};

/** Between two looks whether an entry's day has come. */
export const ANNOUNCER_INTERVAL_MS = 30_000;

export function createAnnouncer(
  ports: AnnouncerPorts,
  cells: readonly Cell[],
  changelog: Changelog,
  publication: Publication,
  lookMs: number = ANNOUNCER_INTERVAL_MS,
): Interval {
  const { log } = ports;
  const looks = cells.map((cell) => announceIn(ports, cell, changelog, publication));
  const lookAtAll = async (isStopped: () => boolean): Promise<void> => {
    for (const look of looks) {
      if (isStopped()) return;
      // A cell that cannot be told is not to keep the others from it.
      await look().catch(told);
    }
  };
  const told = (cause: unknown): void => {
    log[failureLevel(cause)](
      { cause },
      "a change of the API could not be announced; the next look tries again",
    );
  };
  return createInterval(ports, { name: "announcements", everyMs: lookMs }, lookAtAll, told);
}

/** Announces in one cell all entries whose day has come. */
function announceIn(
  { database, wakeBroadcaster, clock, random, log }: AnnouncerPorts,
  cell: Cell,
  changelog: Changelog,
  publication: Publication,
): () => Promise<void> {
  let since: string | null = null;
  /** Nothing is asked for an entry that needs nothing any more. */
  const announced = new Set<string>();

  return async () => {
    // Also while there is nothing to announce: what is announced later must not seem to be older.
    since ??= await announcementStart(database, cell, utcDay(clock.nowMs()));
    for (const entry of changelog) {
      const atMs = clock.nowMs();
      if (announced.has(entry.id) || entry.announced_at < since || !isAnnounced(entry, atMs)) continue;
      const isFirst = await database.transaction(async (tx) => {
        if (!(await recordAnnouncement(tx, cell, entry.id, atMs))) return false;
        await addBroadcasts(tx, [cell], [broadcastOf(entry, publication, random.uuid(atMs), atMs)]);
        return true;
      });
      announced.add(entry.id);
      if (!isFirst) continue;
      log.info({ entry: entry.id, cell: cell.number }, "a change of the API is announced");
      wakeBroadcaster();
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
