/**
 * Polls shipments when they are due, and re-evaluates apart from that what time alone changes: a box is arriving, free
 * time ends, a sailing has not left. Re-evaluations ask no carrier, so that one that is down stops nobody's clock.
 * Each product has a poller of its own; freight/work/worker.ts shows the states.
 */
import type { Interval } from "../../runtime/interval.ts";
import type { WorkerPlace } from "../../runtime/settings.ts";
import type { Cell } from "../../store/cell.ts";
import { perCell } from "../../store/per-cell.ts";
import { createOutageLog } from "../work/outage.ts";
import {
  createQueue,
  createSourceQueues,
  type ClaimLimit,
  type SourceQueuesOptions,
} from "../work/source-queues.ts";
import { createWorker, type JobKind, type WorkerPorts } from "../work/worker.ts";
import type { OnWork } from "../work/wakes.ts";
import { createBatch } from "../../engine/batch-writer.ts";
import { createClaimFrom } from "./claim-from.ts";
import type { Claim, PollHandler, PollOutcome, PollUpdate } from "./poll-handler.ts";
import type { OnPoll, WatchedSource, WatchPolling } from "./polling-metrics.ts";
import { createPollTurns, type PollTurns } from "./poll-turns.ts";
import { createPollWriter, type PollWriterPorts, type WritePoll } from "./poll-writer.ts";
import {
  claimDuePolls,
  claimReevaluations,
  isUrgent,
  readNextPoll,
  readNextReevaluation,
  type ClaimedShipment,
} from "./store/polls.ts";
import { pollRelease } from "./store/polls.sql.ts";

export type PollerSettings = {
  /** Between two claims while nothing happens. */
  readonly idleMs: number;
  /** How long a claim lasts; a poll stops asking carriers at half of it. */
  readonly leaseMs: number;
  /** Polls at once of one carrier, unless its entry says otherwise. */
  readonly slotsPerSource: number;
  /** Polls at once of all carriers together. */
  readonly openMax: number;
  /** The workers of a service share the slots of each carrier and `openMax`. */
  readonly place: WorkerPlace;
  /** Polls that have ended and are not written yet; beyond it none begins. */
  readonly unwrittenMax: number;
  /** How long the result of a poll waits for others to be written with. */
  readonly gatherMs: number;
  /** What one statement writes, reads or releases. */
  readonly batchMax: number;
  /** How long a stop waits for running polls; claims of the others run out. */
  readonly stopMsMax: number;
};

export const POLLER_DEFAULTS: PollerSettings = {
  idleMs: 1_000,
  leaseMs: 120_000,
  slotsPerSource: 8,
  openMax: 128,
  place: { number: 1, of: 1 },
  unwrittenMax: 1_000,
  gatherMs: 5,
  batchMax: 250,
  stopMsMax: 5_000,
};

export type PollerPorts = Omit<PollWriterPorts, "product"> &
  WorkerPorts & {
    readonly onPoll?: OnPoll;
    /** For metrics, in place of `onPoll`. */
    readonly watchPolling?: WatchPolling;
    readonly onWork?: OnWork;
  };

/** A product's shipments, how it polls them, and the source queues in which they wait. */
export type PolledProduct = Pick<SourceQueuesOptions<Claim>, "slots" | "isBreakerOpen" | "sourcesOf"> & {
  readonly product: string;
  readonly handler: PollHandler;
};

/** The source queue of shipments whose source is not known. */
export const UNKNOWN_SOURCE = "";

export type Poller = Omit<Interval, "wake"> & {
  /** A shipment of the cell has just become due. */
  wake(cell: Cell): void;
};

/** What both kinds of job need. */
type PollContext = {
  readonly ports: PollerPorts;
  readonly cells: readonly Cell[];
  readonly settings: PollerSettings;
  readonly writerOf: (cell: Cell) => WritePoll;
  readonly releaseIn: (cell: Cell) => (claimed: ClaimedShipment) => Promise<void>;
  readonly turns: PollTurns;
};

type Polled = { readonly update: PollUpdate; readonly outcome: PollOutcome };

export function createPoller(
  { watchPolling, ...given }: PollerPorts,
  polled: PolledProduct,
  cells: readonly Cell[],
  settings: PollerSettings = POLLER_DEFAULTS,
): Poller {
  const onPoll = given.onPoll ?? watchPolling?.(watchedSources(polled));
  const ports = onPoll === undefined ? given : { ...given, onPoll };
  const { clock, database, log } = ports;
  const { product } = polled;
  const context: PollContext = {
    ports,
    cells,
    settings,
    writerOf: perCell((cell) => createPollWriter({ ...ports, product }, cell, settings)),
    releaseIn: perCell((cell) =>
      createBatch<ClaimedShipment, void>(settings, clock, async (claims) => {
        await pollRelease(database, cell, claims);
        return claims.map(() => undefined);
      }),
    ),
    turns: createPollTurns(ports, cells, settings.idleMs),
  };
  const { idleMs: everyMs, leaseMs: silentMsMax, unwrittenMax: unfinishedMax, stopMsMax } = settings;
  const shared = { everyMs, silentMsMax, unfinishedMax, stopMsMax };
  const outage = createOutageLog("polling", log, clock);
  const polls = createWorker(
    ports,
    pollJobs(context, { ...polled, slots: ownSlots(polled.slots, settings.place) }),
    { ...shared, runningMax: Math.ceil(settings.openMax / settings.place.of) },
    outage,
  );
  const wake = (cell: Cell): void => {
    context.turns.wake(cell);
    polls.wake();
  };
  const reevaluations = createWorker(
    ports,
    reevaluationJobs(context, polled),
    { ...shared, runningMax: settings.batchMax },
    outage,
  );
  return {
    start() {
      polls.start();
      reevaluations.start();
    },
    wake(cell) {
      wake(cell);
      reevaluations.wake();
    },
    async stop() {
      await Promise.all([polls.stop(), reevaluations.stop()]);
    },
  };
}

function watchedSources({
  slots,
  sourcesOf = alone,
  isBreakerOpen = () => false,
}: PolledProduct): readonly WatchedSource[] {
  return [...slots.keys()].flatMap((queue) =>
    sourcesOf(queue).map((source) =>
      source === UNKNOWN_SOURCE
        ? { source, carrier: "unknown", isBreakerOpen: null }
        : { source, carrier: source, isBreakerOpen: () => isBreakerOpen(queue) },
    ),
  );
}

const alone = (source: string): readonly string[] => [source];

/** This worker's part of each carrier's slots, possibly none; over all workers, the parts add up. */
function ownSlots(slots: PolledProduct["slots"], { number, of }: WorkerPlace): PolledProduct["slots"] {
  return new Map(
    [...slots].map(([carrier, all], index) => [carrier, Math.floor((all + ((number + index) % of)) / of)]),
  );
}

function pollJobs(context: PollContext, polled: PolledProduct): JobKind<Claim, Polled> {
  const { product, handler, ...queues } = polled;
  const { cells, ports, settings, turns } = context;
  const { clock, database, onPoll } = ports;
  const { slots, sourcesOf = alone } = polled;
  // A carrier may have no slot in this worker.
  const sources = [...slots].flatMap(([carrier, count]) => (count > 0 ? sourcesOf(carrier) : []));
  const claimFrom = createClaimFrom(cells, settings.leaseMs, clock);
  return {
    name: `polling of ${product}`,
    queues: createSourceQueues<Claim>({
      ...queues,
      claims: "ahead",
      sourceOf,
      accountOf,
      isUrgent: ({ claimed }) => isUrgent(claimed),
    }),
    claim(limits, progress, giveBack) {
      let left = limits;
      const inCells = {
        turns: turns.polls,
        hasRoom: () => left.length > 0,
        readNextDue: (cell: Cell) => readNextPoll(database, cell, sources),
        async claim(cell: Cell, atMs: number, lostEndsMs: readonly number[]) {
          const inTurn = await turns.accounts.inTurn(cell, left);
          const due = await claimDuePolls(database, cell, left, atMs, settings.leaseMs, inTurn, lostEndsMs);
          turns.accounts.claimed(cell, left, due);
          left = remainingLimits(left, due);
          return due;
        },
      };
      return claimFrom(inCells, progress, giveBack);
    },
    async run(claim) {
      const reply = await handler.poll(claim);
      if (reply.kind === "postponed") return reply;
      return { kind: "ran", result: reply, answered: reply.answered };
    },
    finish: (claim, { update, outcome }) => write(context, claim, update, outcome),
    release: (claims) => release(context, claims),
    onBroken(claim, error) {
      onPoll?.(sourceOf(claim), "broken");
      logBroken(context, claim, error);
    },
    onPostponed: (claim) => onPoll?.(sourceOf(claim), "postponed"),
    isExpired: ({ deadlineMs }) => deadlineMs <= clock.monotonicMs(),
  };
}

/** Reads and writes a batch together, and claims the next one when it has ended. */
function reevaluationJobs(
  context: PollContext,
  { product, handler }: PolledProduct,
): JobKind<Claim, PollUpdate> {
  const { cells, turns } = context;
  const { database, clock } = context.ports;
  const { batchMax, leaseMs } = context.settings;
  const claimFrom = createClaimFrom(cells, leaseMs, clock);
  return {
    name: `re-evaluations of ${product}`,
    queues: createQueue<Claim>(batchMax, { claims: "when_empty" }),
    claim(_limits, progress, giveBack) {
      let left = batchMax;
      const inCells = {
        turns: turns.reevaluations,
        hasRoom: () => left > 0,
        readNextDue: (cell: Cell) => readNextReevaluation(database, cell, product),
        async claim(cell: Cell, atMs: number, lostEndsMs: readonly number[]) {
          const due = await claimReevaluations(database, cell, product, left, atMs, leaseMs, lostEndsMs);
          left -= due.length;
          return due;
        },
      };
      return claimFrom(inCells, progress, giveBack);
    },
    async run({ cell, claimed }) {
      return { kind: "ran", result: await handler.reevaluate(cell, claimed), answered: true };
    },
    finish: (claim, update) => write(context, claim, update, "by_time"),
    release: (claims) => release(context, claims),
    onBroken: (claim, error) => logBroken(context, claim, error),
  };
}

function remainingLimits(
  limits: readonly ClaimLimit[],
  claims: readonly ClaimedShipment[],
): readonly ClaimLimit[] {
  const bySource = Map.groupBy(claims, ({ source }) => source);
  return limits
    .map(({ source, limit }) => ({ source, limit: limit - (bySource.get(source)?.length ?? 0) }))
    .filter(({ limit }) => limit > 0);
}

async function write(
  { ports, writerOf, turns }: PollContext,
  { cell, claimed }: Claim,
  update: PollUpdate,
  outcome: PollOutcome,
): Promise<void> {
  // Before: the commit may be unknown.
  turns.written(cell, update);
  const written = await writerOf(cell)(update);
  // Its claim runs out, and it is due again then.
  if (written.kind === "refused") {
    ports.log.error(
      { error: written.cause, shipment: claimed.id },
      "the result of a poll could not be written",
    );
  }
  ports.onPoll?.(claimed.source, WRITE_OUTCOMES[written.kind] ?? outcome);
}

const WRITE_OUTCOMES = { saved: null, overtaken: "overtaken", refused: "broken" } as const;

async function release({ releaseIn, turns }: PollContext, claims: readonly Claim[]): Promise<void> {
  await Promise.all(claims.map(({ cell, claimed }) => releaseIn(cell)(claimed)));
  for (const { cell } of claims) turns.released(cell);
}

function logBroken({ ports }: PollContext, { claimed }: Claim, error: unknown): void {
  ports.log.error({ error, shipment: claimed.id }, "a poll broke off, and is made again");
}

function sourceOf({ claimed }: Claim): string {
  return claimed.source;
}

function accountOf({ claimed }: Claim): string {
  return claimed.accountId;
}
