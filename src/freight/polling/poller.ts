/**
 * Looks at shipments when they are due, a bounded number at once.
 *
 *     idle ─(wake or idle wait over)─▶ claiming ─▶ looking ─▶ saving ─▶ claiming ─▶ … ─▶ idle
 *       └──── stop: no more claims, what waits is given back, what is under way ends ────▶ stopped
 *
 * A place is its lane's for as long as the carrier is asked; what came of it is saved beside the
 * looks that follow. Shipments that time alone changes are looked at apart (time-looks.ts). Each product
 * has a poller of its own, and lanes that no other's has.
 */
import type { Cancel } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { LoopMonitor, LoopHandle } from "../../runtime/loop-monitor.ts";
import type { Cell } from "../../store/cell.ts";
import { claimDuePolls, releasePolls, type ClaimedShipment, type ClaimLimit } from "./store/polls.ts";
import { createBatch, type BatchSettings } from "./batch.ts";
import { createSourceQueues, type SourceQueuesPorts } from "./source-queues.ts";
import type { Claim, PollUpdate, PollReply, PollOutcome, PollHandler } from "./poll-handler.ts";
import { createOutageLog } from "./outage.ts";
import { createPollWriter, type WritePoll, type PollWriterPorts } from "./poll-writer.ts";
import { createReevaluations, type Reevaluations } from "./reevaluations.ts";

export type PollerSettings = {
  /** Between two looks for due shipments while nothing happens. */
  readonly idleMs: number;
  /** How long a claim lasts; a look stops asking carriers at half of it. */
  readonly leaseMs: number;
  /** Looks at once for one carrier, unless its entry says otherwise. */
  readonly slotsPerSource: number;
  /** Looks at once for all carriers together. */
  readonly openMax: number;
  /** Looks that have ended and are not saved yet; beyond it none begins. */
  readonly unwrittenMax: number;
  /** How long what came of a look waits for others to be saved with. */
  readonly gatherMs: number;
  /** What is saved, read or given back by one statement. */
  readonly batchMax: number;
  /** Looks under way when the poller stops have so long to end; their claims run out by themselves. */
  readonly stopMsMax: number;
};

export const POLLER_DEFAULTS: PollerSettings = {
  idleMs: 1_000,
  leaseMs: 120_000,
  slotsPerSource: 8,
  openMax: 128,
  unwrittenMax: 1_000,
  gatherMs: 5,
  batchMax: 250,
  stopMsMax: 5_000,
};

export type PollerPorts = PollWriterPorts & {
  readonly log: Log;
  readonly loops: LoopMonitor;
  readonly onPoll?: OnPoll;
};

/** What is polled: a product's shipments, how it looks at them, and the lanes in which they wait. */
export type PolledProduct = SourceQueuesPorts & { readonly product: string; readonly handler: PollHandler };

/**
 * Told of every look that ended. `postponed`: its carrier was not asked. `overtaken`: another claim had taken
 * over. `broken`: a fault of ours.
 */
export type OnPoll = (lane: string, outcome: PollOutcome | "postponed" | "overtaken" | "broken") => void;

export type Poller = {
  start(): void;
  /** A shipment has just become due: look now. */
  wake(): void;
  /** Claims no more, and resolves when the looks under way have ended, or after a bounded wait. */
  stop(): Promise<void>;
};

export function createPoller(
  ports: PollerPorts,
  { product, handler, ...lanesPorts }: PolledProduct,
  cells: readonly Cell[],
  settings: PollerSettings = POLLER_DEFAULTS,
): Poller {
  const { clock, database, log, loops } = ports;
  const batches = batchSettings(settings);
  const outage = createOutageLog(log, clock);
  const lanes = createSourceQueues(lanesPorts);
  const saves = new Map(cells.map((cell) => [cell, createPollWriter(ports, cell, batches)]));
  const returns = new Map(
    cells.map((cell) => [
      cell,
      createBatch<ClaimedShipment, void>(batches, clock, async (claims) => {
        await releasePolls(database, cell, claims);
        return claims.map(() => undefined);
      }),
    ]),
  );
  const underWay = new Set<Promise<void>>();
  let open = 0;
  let unsaved = 0;
  let turn = -1;
  let isRunning = false;
  let claiming: Promise<void> | null = null;
  let isWokenMeanwhile = false;
  let cancelIdle: Cancel = () => undefined;
  let pulse: LoopHandle | null = null;

  const save = async (cell: Cell, finding: PollUpdate, lane: string, outcome: PollOutcome): Promise<void> => {
    unsaved += 1;
    try {
      const saved = await (saves.get(cell) as WritePoll)(finding);
      outage.ended();
      if (saved.kind === "refused") {
        // Its claim runs out, and it is due again then.
        log.error({ error: saved.cause, shipment: finding.result.claimed.id }, "a look could not be saved");
      }
      ports.onPoll?.(lane, WRITE_OUTCOMES[saved.kind] ?? outcome);
    } catch (error) {
      outage.began(error);
    } finally {
      unsaved -= 1;
    }
  };
  const timeLooks: Reevaluations | null =
    handler.reevaluate === null
      ? null
      : createReevaluations(ports, product, handler.reevaluate, outage, settings, (cell, finding) =>
          save(cell, finding, finding.result.claimed.source, "by_time"),
        );

  const begin = (claim: Claim): void => {
    open += 1;
    const ended = look(claim)
      .catch((error: unknown) => {
        ports.onPoll?.(claim.claimed.source, "broken");
        // Its claim runs out, and it is due again then.
        log.error({ error, shipment: claim.claimed.id }, "a look broke off");
      })
      .then(() => {
        underWay.delete(ended);
        go();
      });
    underWay.add(ended);
  };

  const look = async (claim: Claim): Promise<void> => {
    let looked: PollReply | null = null;
    try {
      looked = await handler.poll(claim);
    } finally {
      open -= 1;
      lanes.ended(claim, looked?.kind === "polled" && looked.answered);
    }
    if (looked.kind === "polled") {
      const saved = save(claim.cell, looked.update, claim.claimed.source, looked.outcome);
      go();
      return saved;
    }
    ports.onPoll?.(claim.claimed.source, "postponed");
    const waiting = lanes.pause(claim.claimed.source, clock.monotonicMs() + looked.waitMs);
    await giveBack([claim, ...waiting]);
  };

  const giveBack = async (claims: readonly Claim[]): Promise<void> => {
    try {
      await Promise.all(claims.map(({ cell, claimed }) => returns.get(cell)!(claimed)));
    } catch (error) {
      outage.began(error);
    }
  };

  /** Begins all looks that there is room for, and claims more when few are left. */
  const go = (): void => {
    if (!isRunning) return;
    const late: Claim[] = [];
    while (open < settings.openMax && unsaved < settings.unwrittenMax) {
      const claim = lanes.next();
      if (claim === null) break;
      if (claim.deadlineMs > clock.monotonicMs()) begin(claim);
      else {
        lanes.ended(claim, false);
        late.push(claim);
      }
    }
    if (late.length > 0) void giveBack(late);
    const wanted = claiming === null ? lanes.toClaim(clock.monotonicMs()) : [];
    if (wanted.length === 0) return;
    isWokenMeanwhile = false;
    claiming = claim(wanted).then((claimed) => {
      claiming = null;
      pulse?.progress();
      if (!claimed) return;
      // It may have read before that fell due which it was woken for.
      if (isWokenMeanwhile) lanes.markDue();
      go();
    });
  };

  /** False: the database does not answer, and the next try waits for its time. */
  const claim = async (wanted: readonly ClaimLimit[]): Promise<boolean> => {
    // Each time another cell comes first, so that none takes all places.
    turn = (turn + 1) % cells.length;
    const claims: Claim[] = [];
    let left = wanted;
    try {
      for (const cell of [...cells.slice(turn), ...cells.slice(0, turn)]) {
        pulse?.progress();
        const deadlineMs = clock.monotonicMs() + settings.leaseMs / 2;
        const due = await claimDuePolls(database, cell, left, clock.nowMs(), settings.leaseMs);
        claims.push(...due.map((claimed) => ({ cell, claimed, deadlineMs })));
        left = remainingLimits(left, due);
        if (left.length === 0) break;
      }
      outage.ended();
    } catch (error) {
      outage.began(error);
      lanes.enqueue(wanted, []);
      await giveBack(claims);
      return false;
    }
    if (isRunning) lanes.enqueue(wanted, claims);
    else await giveBack(claims);
    return true;
  };

  const idle = (): void => {
    if (!isRunning) return;
    cancelIdle = clock.after(settings.idleMs, idle);
    // A claim that never returns would keep all others from beginning.
    if (claiming === null) pulse?.progress();
    lanes.markDue();
    go();
    timeLooks?.run(cells);
  };

  return {
    start() {
      isRunning = true;
      pulse = loops.watch(`polling of ${product}`, settings.leaseMs);
      idle();
    },
    wake() {
      isWokenMeanwhile = true;
      lanes.markDue();
      go();
    },
    async stop() {
      isRunning = false;
      pulse?.end();
      cancelIdle();
      timeLooks?.stop();
      await giveBack(lanes.drain());
      const ended = async (): Promise<void> => {
        await claiming;
        await Promise.all(underWay);
        await timeLooks?.ended();
      };
      let cancel: Cancel = () => undefined;
      const late = new Promise<void>((resolve) => {
        cancel = clock.after(settings.stopMsMax, resolve);
      });
      await Promise.race([ended(), late]);
      cancel();
    },
  };
}

const WRITE_OUTCOMES = { saved: null, overtaken: "overtaken", refused: "broken" } as const;

/** What is read and saved together. */
export function batchSettings({ batchMax, gatherMs }: PollerSettings): BatchSettings {
  return { callsMax: batchMax, gatherMs };
}

function remainingLimits(
  rooms: readonly ClaimLimit[],
  claims: readonly ClaimedShipment[],
): readonly ClaimLimit[] {
  const counts = Map.groupBy(claims, ({ source }) => source);
  return rooms
    .map(({ source, limit }) => ({ source: source, limit: limit - (counts.get(source)?.length ?? 0) }))
    .filter(({ limit: room }) => room > 0);
}
