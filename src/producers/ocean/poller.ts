/**
 * Looks at shipments when they are due, a bounded number at once.
 *
 *     idle ─(wake or idle wait over)─▶ claiming ─▶ refreshing ─(one ends)─▶ claiming ─▶ … ─▶ idle
 *       └────────────────────────── stop: no more claims, what is under way ends ──────────────▶ stopped
 *
 * Every carrier is a lane with places of its own, so that one that is slow or down fills its lane and
 * delays nobody else's boxes; shipments whose carrier is not known yet share one.
 */
import type { Cancel } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";
import { claimDueShipments, type ClaimedShipment, type Lane } from "../../store/shipments.ts";
import { refreshShipment, type RefreshPorts } from "./refresh.ts";

export type PollerSettings = {
  /** Between two looks for due shipments while nothing happens. */
  readonly idleMs: number;
  /** How long a claim lasts; a refresh stops asking carriers at half of it. */
  readonly leaseMs: number;
  /** Refreshes at once for one carrier, unless its entry says otherwise. */
  readonly lanePlaces: number;
};

export const POLLER_DEFAULTS: PollerSettings = { idleMs: 1_000, leaseMs: 120_000, lanePlaces: 8 };

export type Poller = {
  start(): void;
  /** A shipment has just become due: look now. */
  wake(): void;
  /** Claims no more, and resolves when the refreshes under way have ended. */
  stop(): Promise<void>;
};

/** The lane of shipments whose carrier is not known. */
const UNKNOWN_CARRIER = "";

export function createPoller(
  ports: RefreshPorts,
  cells: readonly Cell[],
  settings: PollerSettings = POLLER_DEFAULTS,
): Poller {
  const places = new Map([
    [UNKNOWN_CARRIER, settings.lanePlaces],
    ...ports.carriers.map(({ scac, requestsMax }) => [scac, requestsMax ?? settings.lanePlaces] as const),
  ]);
  const taken = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let turn = -1;
  let running = false;
  let claiming: Promise<void> | null = null;
  let wokenMeanwhile = false;
  let cancelIdle: Cancel | null = null;

  const wake = (): void => {
    if (!running) return;
    if (claiming !== null) {
      wokenMeanwhile = true;
      return;
    }
    cancelIdle?.();
    claiming = claimAndStart().finally(() => {
      claiming = null;
      if (!running) return;
      cancelIdle = ports.clock.after(settings.idleMs, wake);
      if (wokenMeanwhile) wake();
    });
  };

  const claimAndStart = async (): Promise<void> => {
    wokenMeanwhile = false;
    // Each time another cell comes first, so that none takes all places.
    turn = (turn + 1) % cells.length;
    for (const cell of [...cells.slice(turn), ...cells.slice(0, turn)]) {
      const lanes = freeLanes(places, taken);
      if (lanes.length === 0) return;
      try {
        const nowMs = ports.clock.nowMs();
        const claims = await claimDueShipments(ports.database, cell, lanes, nowMs, settings.leaseMs);
        for (const claimed of claims) begin(cell, claimed);
      } catch (error) {
        ports.log.error({ error, cell: cell.number }, "due shipments could not be claimed");
      }
    }
  };

  const begin = (cell: Cell, claimed: ClaimedShipment): void => {
    const lane = claimed.carrier ?? UNKNOWN_CARRIER;
    taken.set(lane, (taken.get(lane) ?? 0) + 1);
    const deadlineMs = ports.clock.monotonicMs() + settings.leaseMs / 2;
    const ended = refreshShipment(ports, cell, claimed, deadlineMs)
      // The claim runs out, and the shipment is due again then.
      .catch((error: unknown) => ports.log.error({ error, shipment: claimed.id }, "a refresh broke off"))
      .then(() => {
        taken.set(lane, (taken.get(lane) ?? 1) - 1);
        underWay.delete(ended);
        wake();
      });
    underWay.add(ended);
  };

  return {
    start() {
      running = true;
      wake();
    },
    wake,
    async stop() {
      running = false;
      cancelIdle?.();
      await claiming;
      await Promise.all(underWay);
    },
  };
}

function freeLanes(places: ReadonlyMap<string, number>, taken: ReadonlyMap<string, number>): readonly Lane[] {
  return [...places]
    .map(([carrier, all]) => ({ carrier, room: all - (taken.get(carrier) ?? 0) }))
    .filter(({ room }) => room > 0);
}
