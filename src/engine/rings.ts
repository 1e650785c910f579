import { fifo, lengthOf, push, shift, takeAll, type Fifo } from "./fifo.ts";
import type { Invariants } from "./invariants.ts";
import { mayOpen, type Lane } from "./lane.ts";
import type { EngineSettings } from "./settings.ts";

/**
 * The turns that lanes take. Those with something ready wait in one of two rings, the well in one and the
 * suspect in the other, and each turn starts one request of one lane: an endpoint with a thousand deliveries
 * and one with a single delivery take turns. Each ring has a bound on its open requests.
 */
export type Rings = {
  /** Has the lane wait for its turn, if it has something to start. */
  list(lane: Lane): void;
  /** Gives every lane its place anew, should one have lost it. */
  relist(lanes: Iterable<Lane>): void;
  /** Moves the lane, and its open requests, to the ring where it belongs now. */
  judge(lane: Lane): void;
  /** Starts what the bounds allow, one request of one lane after the other. */
  turn(start: (lane: Lane) => void): void;
  opened(lane: Lane): void;
  closed(lane: Lane): void;
  /** True when the lane's ring may open another request. */
  hasRoomFor(lane: Lane): boolean;
  openCount(): number;
};

type Ring = {
  readonly name: keyof Lane["listed"];
  readonly lanes: Fifo<Lane>;
  open: number;
  readonly openMax: number;
};

export function createRings(
  { openMax, suspectOpenMax }: Pick<EngineSettings, "openMax" | "suspectOpenMax">,
  invariants: Invariants,
): Rings {
  const well: Ring = { name: "well", lanes: fifo(), open: 0, openMax };
  const suspect: Ring = { name: "suspect", lanes: fifo(), open: 0, openMax: suspectOpenMax };
  const ringOf = (lane: Lane) => (lane.suspect ? suspect : well);

  function list(lane: Lane): void {
    const ring = ringOf(lane);
    if (lane.listed[ring.name] || !mayOpen(lane)) return;
    lane.listed[ring.name] = true;
    push(ring.lanes, lane);
  }

  function turnOf(ring: Ring, start: (lane: Lane) => void): void {
    // A lane that may not send keeps its place for later; each is looked at once a turn.
    for (let left = lengthOf(ring.lanes); left > 0 && ring.open < ring.openMax; left--) {
      const lane = shift(ring.lanes);
      if (lane === undefined) break;
      lane.listed[ring.name] = false;
      if (ringOf(lane) === ring && mayOpen(lane) && lane.member.maySend()) {
        start(lane);
        if (mayOpen(lane)) left++;
      }
      list(lane);
    }
  }

  return {
    list,
    relist(lanes) {
      for (const ring of [well, suspect]) takeAll(ring.lanes);
      for (const lane of lanes) {
        lane.listed.well = false;
        lane.listed.suspect = false;
        list(lane);
      }
    },
    judge(lane) {
      const isSuspect = lane.failures > 0 || lane.stalled > 0;
      if (isSuspect === lane.suspect) return;
      ringOf(lane).open -= lane.open;
      lane.suspect = isSuspect;
      ringOf(lane).open += lane.open;
    },
    turn(start) {
      turnOf(well, start);
      turnOf(suspect, start);
    },
    opened(lane) {
      lane.open += 1;
      ringOf(lane).open += 1;
    },
    closed(lane) {
      const ring = ringOf(lane);
      if (lane.open === 0 || ring.open === 0) {
        return invariants.report("open_count_not_negative", { endpoint: lane.target.id });
      }
      lane.open -= 1;
      ring.open -= 1;
    },
    hasRoomFor(lane) {
      const ring = ringOf(lane);
      return ring.open < ring.openMax;
    },
    openCount: () => well.open + suspect.open,
  };
}
