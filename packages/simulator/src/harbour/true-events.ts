/** What one box's states, look after look, call for: its events and the changes of its status (spec 6.3). */
import { DAY_MS, HOUR_MS } from "../world/durations.ts";
import { freeTimeOf, nextFreeTimeMs, warnOfFreeTime, type FreeTimeTold } from "./true-free-time.ts";
import { disruptionsOf, nextSilenceMs, type SailingsTold } from "./true-disruptions.ts";
import type { TrueEvent, TrueStatusChange, TruthOptions, TrueStatus } from "./true-event.ts";
import { arrivalKey } from "./true-milestones.ts";
import type { TrueState } from "./true-state.ts";

export type Collected = { readonly events: TrueEvent[]; readonly statusChanges: TrueStatusChange[] };

/** `begins`: the state is that of another trip. Returns the next moment at which time alone changes something, null: none. */
export type Observe = (state: TrueState, atMs: number, begins: boolean) => number | null;

/** What was raised and shown so far. */
type Memory = {
  told: Set<string>;
  sailings: SailingsTold;
  freeTime: FreeTimeTold;
  before: TrueState | null;
  /** The ETA shown last, and whether it was an arrival that has happened. */
  eta: TrueState["eta"];
  vessel: TrueState["vessel"];
  discharge: TrueState["discharge"];
  /** What the next shift is measured against, and the UTC day on which one was raised last. */
  etaToldMs: number | null;
  etaToldDay: number;
};

export function createObserver(
  nameAt: (atMs: number) => string,
  options: TruthOptions,
  kept: Collected,
): Observe {
  const memory = emptyMemory();
  return (state, atMs, begins) => {
    // It had come to the port before it was tracked.
    if (memory.before === null && state.eta?.actual === true) memory.told.add(arrivalKey(state.eta.place));
    if (begins) Object.assign(memory, { ...emptyMemory(), ...shownBy(memory) });
    const equipment = nameAt(atMs);
    const { before } = memory;
    const raise = (type: string, about: string): void => {
      if (before !== null) kept.events.push({ atMs, type, equipment, about });
    };
    if (before?.status !== state.status) kept.statusChanges.push({ atMs, equipment, status: state.status });
    let shown: TrueStatus = before?.status ?? state.status;
    for (const { type, key, about, status } of state.milestones) {
      if (memory.told.has(key)) continue;
      memory.told.add(key);
      raise(type, aboutStatus(about, shown === status ? statusBefore(state, type, key) : shown, status));
      shown = status;
    }
    const named = shown === state.status;
    if (state.misrouted !== null && !memory.told.has(`misrouted ${state.misrouted.place}`)) {
      memory.told.add(`misrouted ${state.misrouted.place}`);
      raise("container_misrouted", state.misrouted.place ?? "");
    }
    const passed = new Set(before?.milestones.map(({ key }) => key));
    for (const about of disruptionsOf(state, memory.sailings, atMs, passed))
      raise("schedule_disruption", about);
    const free = freeTimeOf(state, options);
    const ran = warnOfFreeTime(free, memory.freeTime, options, atMs);
    if (ran !== null) raise(ran, aboutStatus("", state.status, state.status));
    const etaTold = tellEta(state, memory, atMs);
    if (etaTold !== null) raise("eta_changed", etaTold);
    if (before !== null) {
      const changed = [
        state.status !== before.status && !named ? "status" : "",
        state.eta !== null && state.eta.ms !== memory.eta?.ms && etaTold === null ? "eta" : "",
        state.vessel !== null && state.vessel !== memory.vessel ? "vessel" : "",
        state.discharge !== null && state.discharge !== memory.discharge ? "discharge" : "",
      ].filter((field) => field !== "");
      if (changed.length > 0) raise("shipment_updated", changed.join());
    }
    memory.before = state;
    // Another trip shows nothing of the one before it.
    memory.eta = state.eta ?? (begins ? null : memory.eta);
    memory.vessel = state.vessel ?? (begins ? null : memory.vessel);
    memory.discharge = state.discharge ?? (begins ? null : memory.discharge);
    return earliest(
      [
        // Less than 48 hours, not 48.
        ...(state.nearFromMs === null ? [] : [state.nearFromMs + 1]),
        nextSilenceMs(state, memory.sailings, atMs),
        nextFreeTimeMs(free, atMs),
        nextEtaMs(state, memory, atMs),
      ].filter((ms) => ms !== null && ms > atMs) as number[],
    );
  };
}

function emptyMemory(): Memory {
  return {
    told: new Set(),
    sailings: new Map(),
    freeTime: new Map(),
    before: null,
    eta: null,
    vessel: null,
    discharge: null,
    etaToldMs: null,
    etaToldDay: Number.NaN,
  };
}

/** What another trip begins from: what was shown of the one before, and the day of the last shift. */
function shownBy({ before, eta, vessel, discharge, etaToldDay }: Memory): Partial<Memory> {
  return { before, eta, vessel, discharge, etaToldDay };
}

/** What events of the status family are compared by: the status shown a moment before, and the one reported. */
function aboutStatus(about: string, previous: TrueStatus, next: TrueStatus): string {
  return `${about} ${previous}>${next}`.trim();
}

/** What a box whose status is shown already has come from, since an event of the family names a change (spec 3.3). */
function statusBefore({ milestones }: TrueState, type: string, key: string): TrueStatus {
  switch (type) {
    case "vessel_departed":
      return milestones.find((one) => one.type === type)?.key === key ? "pre_departure" : "at_transshipment";
    case "container_arrived":
      return "in_transit";
    case "container_delivered":
      return "available";
    default:
      return "discharged";
  }
}

const SHIFT_MS = DAY_MS;

/**
 * The hours by which the ETA has moved from the one raised last or shown first, if it has moved far enough and
 * none was raised on this day. An arrival made elsewhere is nothing to measure against.
 */
function tellEta({ eta }: TrueState, memory: Memory, atMs: number): string | null {
  if (eta === null) return null;
  if (eta.actual) {
    memory.etaToldMs ??= eta.ms;
    return null;
  }
  const arrivedElsewhere = memory.eta?.actual === true && memory.eta.place !== eta.place;
  if (memory.etaToldMs === null || arrivedElsewhere) {
    memory.etaToldMs = eta.ms;
    return null;
  }
  const movedMs = eta.ms - memory.etaToldMs;
  const day = Math.floor(atMs / DAY_MS);
  if (Math.abs(movedMs) < SHIFT_MS || memory.etaToldDay === day) return null;
  memory.etaToldMs = eta.ms;
  memory.etaToldDay = day;
  return String(Math.round((movedMs / HOUR_MS) * 100) / 100);
}

/** The next UTC midnight, if a second shift of this day waits for it. */
function nextEtaMs({ eta }: TrueState, { etaToldMs }: Memory, atMs: number): number | null {
  if (eta === null || eta.actual || etaToldMs === null) return null;
  if (Math.abs(eta.ms - etaToldMs) < SHIFT_MS) return null;
  return (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;
}

function earliest(moments: readonly number[]): number | null {
  return moments.length === 0 ? null : Math.min(...moments);
}
