/**
 * What outside sources answer and push, for the operator: gathered in memory, and written to the directory every some
 * seconds, so that the answer is of all nodes. No poll waits for it; what a crash loses are some seconds of it.
 *
 *     answer, push, skipped part ─▶ gathered ─(FLUSH_MS, or the stop)─▶ written
 *                                      ▲─(the directory does not answer)─┘
 */
import type { OnPushed } from "../../operator/ports.ts";
import { DAY_MS, SECOND_MS } from "../../runtime/durations.ts";
import { createInterval, type Interval } from "../../runtime/interval.ts";
import type { Cell } from "../../store/cell.ts";
import type { NodeContext } from "../../store/node-context.ts";
import type { OnUpstreamAnswer, OnUpstreamSkipped, UpstreamAnswer } from "../upstream/upstream.ts";
import { noteSources, type SeenSkip, type SeenSource, REASONS_MAX } from "./store/sources.ts";
import { sourceSkipPrune, sourceSkipNote } from "./store/sources.sql.ts";

export type SourceLog = Pick<Interval, "start" | "stop"> & {
  readonly onUpstreamAnswer: OnUpstreamAnswer;
  readonly onUpstreamSkipped: OnUpstreamSkipped;
  readonly onPushed: OnPushed;
};

const FLUSH_MS = 5 * SECOND_MS;
/** Between two prunings, and the age of a reason that is pruned. */
const PRUNE_MS = DAY_MS;
const REASON_MS_MAX = 30 * DAY_MS;
/** Sources and reasons that are gathered between two writes. What is beyond is left out. */
const GATHERED_MAX = 1_000;
/** As the columns bound them. */
const NAME_LENGTH_MAX = 300;
const CODE_LENGTH_MAX = 100;
const EXAMPLE_LENGTH_MAX = 600;

type LogPorts = Pick<NodeContext, "database" | "cells" | "clock" | "log" | "loops"> & {
  /** A source is down, or answers again, and that is to be reported. */
  readonly onReported?: (cell: Cell) => void;
};

export function createSourceLog(ports: LogPorts): SourceLog {
  const { database, cells, clock, log } = ports;
  const directory = cells[0];
  let seen = new Map<string, SeenSource>();
  let skips = new Map<string, SeenSkip>();
  let prunedAtMs = Number.NEGATIVE_INFINITY;

  async function flush(): Promise<void> {
    const [sources, skipped] = [[...seen.values()], [...skips.values()]];
    [seen, skips] = [new Map(), new Map()];
    const nowMs = clock.nowMs();
    try {
      const turned =
        sources.length === 0
          ? 0
          : await database.transaction((tx) => noteSources(tx, directory, sources, nowMs));
      if (turned > 0) ports.onReported?.(directory);
      if (skipped.length > 0)
        await sourceSkipNote(database, directory, { skips: skipped, now: nowMs, reasonsMax: REASONS_MAX });
    } catch (cause) {
      // What was seen since is newer.
      for (const one of sources) {
        const newer = seen.get(one.source);
        seen.set(one.source, newer === undefined ? one : mergedSource(one, newer));
      }
      for (const one of skipped) addSkip(skips, one);
      throw cause;
    }
    if (clock.monotonicMs() - prunedAtMs < PRUNE_MS) return;
    prunedAtMs = clock.monotonicMs();
    await sourceSkipPrune(database, directory, nowMs - REASON_MS_MAX);
  }

  const options = { name: "log of sources", everyMs: FLUSH_MS, firstAfterMs: FLUSH_MS };
  const interval = createInterval(ports, options, flush, (cause) =>
    log.debug({ cause }, "what sources answered is not written; the next round retries"),
  );
  const onUpstreamAnswer: OnUpstreamAnswer = (upstream, answer, subject) => {
    // One account waits: the source does not.
    if (answer.kind === "refused" && answer.isAccounts === true) return;
    const source = upstream.slice(0, NAME_LENGTH_MAX);
    if (seen.size >= GATHERED_MAX && !seen.has(source)) return;
    const known = seen.get(source);
    const fresh = sourceOf(source, answer, subject, clock.nowMs());
    seen.set(source, known === undefined ? fresh : mergedSource(known, fresh));
  };
  const onUpstreamSkipped: OnUpstreamSkipped = (upstream, subject, reasons) => {
    for (const reason of reasons) {
      if (skips.size >= GATHERED_MAX) return;
      const about = subject === null ? reason : `${subject}: ${reason}`;
      addSkip(skips, {
        source: upstream.slice(0, NAME_LENGTH_MAX),
        reason: withoutValues(reason).slice(0, NAME_LENGTH_MAX) || "no reason",
        count: 1,
        example: printable(about).slice(0, EXAMPLE_LENGTH_MAX),
      });
    }
  };
  return {
    start: interval.start,
    async stop() {
      await interval.stop();
      await flush().catch((cause: unknown) =>
        log.debug({ cause }, "what sources answered last is not written"),
      );
    },
    onUpstreamAnswer,
    onUpstreamSkipped,
    onPushed(source, { subject, isRead, problems }) {
      const answer = isRead ? PUSHED : ({ kind: "failed", reason: "unreadable" } as const);
      onUpstreamAnswer(source, answer, subject);
      onUpstreamSkipped(source, subject, problems);
    },
  };
}

/** What a source pushes counts as its answer. */
const PUSHED: UpstreamAnswer = { kind: "answered", status: 200, header: () => null, body: "" };

function sourceOf(source: string, answer: UpstreamAnswer, subject: string | null, atMs: number): SeenSource {
  const nothing = { last: null, answeredAtMs: null, failed: null, requests: 0, failures: 0, waits: null };
  if (answer.kind === "refused") {
    const waits = { untilMs: atMs + answer.retryAfterMs, reason: answer.reason };
    return { ...nothing, source, waits };
  }
  const outcome = outcomeOf(answer).slice(0, CODE_LENGTH_MAX);
  const last = {
    atMs,
    subject: subject === null ? null : printable(subject).slice(0, NAME_LENGTH_MAX),
    outcome,
  };
  return outcome === OK
    ? { ...nothing, source, last, answeredAtMs: atMs, requests: 1 }
    : { ...nothing, source, last, failed: { atMs, failure: outcome }, requests: 1, failures: 1 };
}

export const OK = "ok";

/** `ok`: it works, whether it knows what it was asked about or not. */
function outcomeOf(answer: Exclude<UpstreamAnswer, { kind: "refused" }>): string {
  if (answer.kind === "not_permitted") return `oauth_http_${answer.status}`;
  if (answer.kind === "failed") return answer.reason;
  const { status } = answer;
  return (status >= 200 && status < 300) || status === 404 ? OK : `http_${status}`;
}

/** One before the other. A later answer ends a wait. */
function mergedSource(older: SeenSource, newer: SeenSource): SeenSource {
  return {
    source: older.source,
    last: newer.last ?? older.last,
    answeredAtMs: newer.answeredAtMs ?? older.answeredAtMs,
    failed: newer.failed ?? older.failed,
    requests: older.requests + newer.requests,
    failures: older.failures + newer.failures,
    waits: newer.waits ?? (newer.last === null ? older.waits : null),
  };
}

function addSkip(skips: Map<string, SeenSkip>, one: SeenSkip): void {
  const key = `${one.source}\n${one.reason}`;
  const known = skips.get(key);
  skips.set(key, known === undefined ? one : { ...known, count: known.count + one.count });
}

/** So that reasons are few: what a source writes is among them. */
function withoutValues(reason: string): string {
  // Every second piece stands between quotes; one that is escaped begins no other piece.
  const pieces = printable(reason).replaceAll('\\"', "").split('"');
  const unquoted = pieces.map((piece, place) => (place % 2 === 0 ? piece : "…"));
  return unquoted.join("").replaceAll(/\d+/g, "#");
}

/** PostgreSQL text holds no NUL, and half a surrogate pair is no text. */
function printable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
