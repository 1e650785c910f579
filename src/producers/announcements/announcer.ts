/**
 * Announces changelog entries: on the day of each, `api_change_announced` to every account that has an endpoint
 * which takes it, once. Every node looks; the row of an entry is locked by one of them for a batch, and says with
 * the batch's events how far they have come, so that whoever goes on goes on behind it.
 *
 *     idle ─(some time)─▶ an entry's day has come ─▶ batch ─▶ batch ─▶ … ─▶ finished, for good ─▶ idle
 *       │                                             │  └─ no database, or a crash: nothing of the batch
 *       │                                             └─ another node is about it ─▶ idle
 *       └──── stop: the batch under way ends ────▶ stopped
 */
import type { Engine } from "../../engine/engine.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import type { RaisedEvent } from "../../model/event.ts";
import type { Cancel, Clock } from "../../runtime/clock.ts";
import { within } from "../../runtime/closing.ts";
import type { Log } from "../../runtime/log.ts";
import {
  advanceAnnouncement,
  announcingSince,
  beginAnnouncement,
  claimAnnouncement,
} from "../../store/announcements.ts";
import { nextReceivers } from "../../store/broadcasts.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { announcementOf, type Publication } from "./announcement.ts";
import type { Changelog } from "./changelog.ts";
import { dayAt, isAnnounced, type ChangelogEntry } from "./entry.ts";

export type AnnouncerPorts = {
  readonly database: Connection;
  readonly raiseWithin: Engine["raiseWithin"];
  readonly clock: Clock;
  readonly log: Log;
};

export type AnnouncerSettings = {
  /** Between two looks whether an entry's day has come, or another node has left one unfinished. */
  readonly lookMs: number;
  /** Accounts that are told in one transaction. */
  readonly batchMax: number;
};

export const ANNOUNCER_DEFAULTS: AnnouncerSettings = { lookMs: 30_000, batchMax: 500 };

export type Announcer = {
  /** Looks at once, and then again and again. */
  start(): void;
  /** Begins no batch any more; resolves when the one under way has ended, or after a bounded wait. */
  stop(): Promise<void>;
};

/** A batch takes some hundredths of a second, unless the database is away. */
const STOP_MS_MAX = 5_000;

const EVENT = { product: "tracking", type: "api_change_announced" } as const;

export function createAnnouncer(
  ports: AnnouncerPorts,
  cells: readonly Cell[],
  changelog: Changelog,
  publication: Publication,
  { lookMs, batchMax }: AnnouncerSettings = ANNOUNCER_DEFAULTS,
): Announcer {
  const { clock, log } = ports;
  const walks = cells.map((cell) => createWalk(ports, cell, publication, batchMax));
  let isStopped = false;
  let cancel: Cancel = () => undefined;
  let underWay: Promise<void> | null = null;

  const look = async (): Promise<void> => {
    for (const walk of walks) {
      // A cell that cannot be told is not to keep the others from it.
      await walk(changelog, () => isStopped).catch((cause: unknown) => {
        const level = cause instanceof StoreUnavailable ? "warn" : "error";
        log[level]({ cause }, "a change of the API could not be announced; it goes on where it stopped");
      });
    }
  };

  const go = (): void => {
    if (isStopped) return;
    cancel = clock.after(lookMs, go);
    underWay ??= look().finally(() => {
      underWay = null;
    });
  };

  return {
    start: go,
    async stop() {
      isStopped = true;
      cancel();
      if (underWay !== null) await within(clock, STOP_MS_MAX, underWay);
    },
  };
}

/** Takes all entries of one cell whose day has come as far as it can. */
type Walk = (changelog: Changelog, isStopped: () => boolean) => Promise<void>;

function createWalk(ports: AnnouncerPorts, cell: Cell, publication: Publication, batchMax: number): Walk {
  const { database, clock } = ports;
  let since: string | null = null;
  /** Nothing is asked for an entry that needs nothing any more. */
  const finished = new Set<string>();

  return async (changelog, isStopped) => {
    // Also while there is nothing to announce: what is announced later must not seem to be older.
    since ??= await announcingSince(database, cell, dayAt(clock.nowMs()));
    for (const entry of changelog) {
      if (finished.has(entry.id) || entry.announced_at < since || !isAnnounced(entry, clock.nowMs()))
        continue;
      await beginAnnouncement(database, cell, entry.id, clock.nowMs());
      let step: Step = "more";
      while (step === "more" && !isStopped()) {
        step = await tellSome(ports, cell, entry, publication, batchMax);
      }
      if (step === "finished") finished.add(entry.id);
    }
  };
}

/** What came of a batch. */
type Step = "more" | "finished" | "another's";

async function tellSome(
  { raiseWithin, clock, log }: AnnouncerPorts,
  cell: Cell,
  entry: ChangelogEntry,
  publication: Publication,
  batchMax: number,
): Promise<Step> {
  let step = "another's" as Step;
  let told = 0;
  const atMs = clock.nowMs();
  const raised = await raiseWithin(cell, async (tx) => {
    const progress = await claimAnnouncement(tx, cell, entry.id);
    if (progress === null) return null;
    if (progress.finished) {
      step = "finished";
      return null;
    }
    const accountIds = await nextReceivers(tx, cell, { ...EVENT, toldUpTo: progress.toldUpTo }, batchMax);
    step = accountIds.length < batchMax ? "finished" : "more";
    told = progress.told + accountIds.length;
    await advanceAnnouncement(tx, cell, entry.id, accountIds, step === "finished" ? atMs : null);
    return eventsFor(accountIds, entry, publication, atMs);
  });
  if (raised !== null && step === "finished") {
    log.info({ entry: entry.id, cell: cell.number, accounts: told }, "a change of the API was announced");
  }
  return step;
}

function eventsFor(
  accountIds: readonly string[],
  entry: ChangelogEntry,
  publication: Publication,
  atMs: number,
): readonly RaisedEvent[] {
  const data = JSON.stringify(announcementOf(entry, publication));
  const dedupKey = `${EVENT.type}:${entry.id}`;
  return accountIds.map((accountId) => ({ ...EVENT, accountId, data, occurredAtMs: atMs, dedupKey }));
}
