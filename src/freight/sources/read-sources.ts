/** How each source is: what all nodes have seen of it, its quota, and what waits for it in the cells. */
import { wordsOf } from "../../model/source-words.ts";
import { inCells } from "../../store/in-cells.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { pollCountFailuresOfSources, pollCountOfSources } from "../polling/store/polls.sql.ts";
import { limitOf } from "../upstream/turns.ts";
import { QUOTA_WINDOWS } from "../upstream/quota.ts";
import { type KnownLimit, SHARED_MS } from "../upstream/store/quotas.ts";
import { upstreamLimitList, upstreamPauseList } from "../upstream/store/upstream.sql.ts";
import type { SourceChannel, SourceDescription, SourcesOfProduct } from "./description.ts";
import { OK } from "./source-log.ts";
import { type StoredSkip, type StoredSource, REASONS_MAX } from "./store/sources.ts";
import { sourceList, sourceSkipList } from "./store/sources.sql.ts";

export type DescribedSources = readonly (SourcesOfProduct & { readonly product: string })[];

type ReadPorts = Pick<NodeContext, "database" | "cells" | "clock">;

/** A cell that takes longer is left out. */
const CELL_MS_MAX = 3_000;
/** Polls of a queue and cell that are counted, and whose failures are read. */
const COUNTED_MAX = 1_000;

export type SourceAnswer = Awaited<ReturnType<typeof readSources>>[number];
export type ChannelAnswer = SourceAnswer["channels"][number];

/** In the order of the files. `wanted`: the id of one, or all. */
export async function readSources(
  ports: ReadPorts,
  described: DescribedSources,
  wanted: string | null = null,
) {
  const { database, cells, clock } = ports;
  const [directory, nowMs] = [cells[0], clock.nowMs()];
  const sources = described
    .flatMap(({ product, sources: its }) => its.map((one) => ({ ...one, product })))
    .filter(({ id }) => wanted === null || id === wanted);
  const channels = sources.flatMap((source) => source.channels);
  const names = channels.map(({ name }) => name);
  const [stored, skips, limits, pauses, next, polls] = await Promise.all([
    sourceList(database, directory, names),
    sourceSkipList(database, directory, { names, reasonsMax: REASONS_MAX }),
    upstreamLimitList(database, directory, [...new Set(channels.map(quotaNameOf))]),
    upstreamPauseList(database, directory, nowMs),
    Promise.all(
      described.map(async ({ nextPolls }) => nextPolls?.(database, directory) ?? new Map<string, Date>()),
    ),
    readPolls(ports, [...new Set(sources.flatMap(({ queues }) => queues))], nowMs),
  ]);
  const known = {
    nowMs,
    stored: new Map(stored.map((one) => [one.source, one])),
    skips: Map.groupBy(skips, ({ source }) => source),
    limits,
    pauses: new Map(pauses.map(({ source, pausedUntil }) => [source, pausedUntil])),
  };
  const nextPolls = new Map(next.flatMap((one) => [...one]));
  return sources.map((source) => sourceAnswer(source, known, polls, nextPolls.get(source.id) ?? null));
}

type Known = {
  readonly nowMs: number;
  readonly stored: ReadonlyMap<string, StoredSource>;
  readonly skips: ReadonlyMap<string, readonly StoredSkip[]>;
  readonly limits: readonly KnownLimit[];
  readonly pauses: ReadonlyMap<string, number>;
};

type Polls = Awaited<ReturnType<typeof readPolls>>;

function sourceAnswer(
  { id, kind, title, product, channels: described, queues }: SourceDescription & { readonly product: string },
  known: Known,
  polls: Polls,
  nextAt: Date | null,
) {
  const channels = described.map((channel) => channelAnswer(channel, known));
  const latest = channels.reduce<Last | null>(
    (last, channel) => (last === null || (channel.last?.at ?? "") > last.at ? (channel.last ?? last) : last),
    null,
  );
  const waits = channels.find((channel) => channel.waits !== null)?.waits ?? null;
  const its = polls.counts.filter(({ queue }) => queues.includes(queue));
  const times = [...its.flatMap((one) => one.nextAt ?? []), ...(nextAt === null ? [] : [nextAt])];
  const nextMs = times.length === 0 ? null : Math.min(...times.map((time) => time.getTime()));
  const sumOf = (of: (one: (typeof its)[number]) => number): number =>
    its.reduce((sum, one) => sum + of(one), 0);
  return {
    id,
    product,
    kind,
    title,
    is_polled: channels.some(({ is_pushed: isPushed }) => !isPushed),
    state: stateOf(latest, waits),
    last: latest,
    waits,
    polls: {
      scheduled: sumOf(({ scheduled }) => scheduled),
      due: sumOf(({ due }) => due),
      // A requested poll is due since 1970.
      next_at: nextMs === null ? null : new Date(Math.max(nextMs, known.nowMs)).toISOString(),
      failures: failuresOf(polls, queues),
    },
    channels,
    skipped: channels.reduce(
      (sum, { skipped }) => sum + skipped.reduce((all, { count }) => all + count, 0),
      0,
    ),
  };
}

type Last = {
  readonly at: string;
  readonly subject: string | null;
  readonly outcome: string;
  readonly text: string;
};
type Waits = { readonly until: string; readonly reason: string; readonly text: string };

export const SOURCE_STATES = ["well", "failing", "waiting", "silent"] as const;

function stateOf(last: Last | null, waits: Waits | null): (typeof SOURCE_STATES)[number] {
  if (waits !== null) return "waiting";
  if (last === null) return "silent";
  return last.outcome === OK ? "well" : "failing";
}

const quotaNameOf = ({ name, quotaName = name }: SourceChannel): string => quotaName;

function channelAnswer(channel: SourceChannel, known: Known) {
  const { name, about, isPushed, quota } = channel;
  const stored = known.stored.get(name);
  const { askedAt = null, outcome = null, failedAt = null, failure = null } = stored ?? {};
  return {
    name,
    about,
    is_pushed: isPushed,
    last:
      askedAt === null || outcome === null
        ? null
        : {
            at: askedAt.toISOString(),
            subject: stored?.subject ?? null,
            outcome,
            text: wordsOf(outcome),
          },
    answered_at: stored?.answeredAt?.toISOString() ?? null,
    failed_at: failedAt?.toISOString() ?? null,
    failure: failure === null ? null : { code: failure, text: wordsOf(failure) },
    requests: stored?.requests ?? 0,
    failures: stored?.failures ?? 0,
    counted_since: stored?.countedSince.toISOString() ?? null,
    waits: waitsOf(quotaNameOf(channel), stored, known),
    quota: quotaOf(quotaNameOf(channel), quota, known),
    skipped: (known.skips.get(name) ?? []).map(({ reason, count, lastAt, example }) => ({
      reason,
      count,
      last_at: lastAt.toISOString(),
      example,
    })),
  };
}

function waitsOf(name: string, stored: StoredSource | undefined, { nowMs, pauses }: Known): Waits | null {
  const pausedUntilMs = pauses.get(name) ?? 0;
  const [untilMs, reason] =
    pausedUntilMs > nowMs
      ? [pausedUntilMs, "paused"]
      : [stored?.waitsUntil?.getTime() ?? 0, stored?.waitsFor ?? ""];
  if (untilMs <= nowMs) return null;
  return { until: new Date(untilMs).toISOString(), reason, text: wordsOf(reason) };
}

/** Turns are leased ahead of time: how far, says how much is used (upstream/quota.ts). */
function quotaOf(name: string, quota: SourceChannel["quota"], { limits, nowMs }: Known) {
  return QUOTA_WINDOWS.flatMap(([setting, windowMs, per]) => {
    const limit = quota[setting];
    const turns = limitOf(limit, windowMs, { isShared: true });
    if (limit === undefined || turns === null) return [];
    const found = limits.find((one) => one.source === name && one.windowMs === windowMs);
    const aheadMs = found === undefined ? 0 : found.leasedUntil - Math.max(found.toldAt, nowMs);
    const used = Math.min(limit, Math.max(0, Math.ceil(aheadMs / turns.intervalMs)));
    const isShared =
      found !== undefined && found.contendedAt !== null && found.contendedAt > found.toldAt - SHARED_MS;
    return [{ per, limit, used, is_shared: isShared }];
  });
}

async function readPolls({ database, cells, clock }: ReadPorts, queues: readonly string[], nowMs: number) {
  if (queues.length === 0) return { counts: [], failures: [] };
  const { answers } = await inCells(clock, cells, CELL_MS_MAX, async (cell) => ({
    counts: await pollCountOfSources(database, cell, { queues, now: nowMs, countMax: COUNTED_MAX }),
    failures: await pollCountFailuresOfSources(database, cell, { queues, readMax: COUNTED_MAX }),
  }));
  return {
    counts: answers.flatMap(({ counts }) => counts),
    failures: answers.flatMap(({ failures }) => failures),
  };
}

function failuresOf({ failures }: Polls, queues: readonly string[]) {
  const its = Map.groupBy(
    failures.filter(({ queue }) => queues.includes(queue)),
    ({ failure }) => failure,
  );
  return [...its]
    .map(([failure, rows]) => ({
      failure,
      text: wordsOf(failure),
      polls: rows.reduce((sum, { polls }) => sum + polls, 0),
    }))
    .toSorted((a, b) => b.polls - a.polls);
}
