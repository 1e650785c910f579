/**
 * The keys of what a box has raised. An event that is raised once for each port, last free day or occasion of a trip
 * has a key of its type and that. Its type alone, from an unknown port or an older record, stands for all of them.
 */
import { placeKey, type Place } from "../sources/carrier-event.ts";
import type { AlreadyRaised, BoxRecord, Milestone, RaisedKeys } from "../record/shipment-record.ts";
import { milestonesOf } from "../status/milestones.ts";
import { isSameMissed } from "../status/roll-overs.ts";
import { deriveStatus } from "../status/status.ts";
import { NOTHING_ANNOUNCED } from "../timeline/route.ts";

export function keyAt(type: string, place: Place | null, more?: string): string {
  const port = placeKey(place);
  return port === null ? type : [type, port, ...(more === undefined ? [] : [more])].join(":");
}

/** Whether an event of the type and port was raised, as far as ports are known. */
export function isRaisedAt(keys: RaisedKeys, type: string, place: Place | null): boolean {
  if (type in keys || keyAt(type, place) in keys) return true;
  return placeKey(place) === null && Object.keys(keys).some((key) => key.startsWith(`${type}:`));
}

export function withKeys(raised: AlreadyRaised, keys: readonly string[]): AlreadyRaised {
  return { ...raised, keys: { ...raised.keys, ...Object.fromEntries(keys.map((key) => [key, null])) } };
}

/** Of one box and trip; a carrier that names more has renamed its ports again and again. */
const KEYS_MAX = 1_000;

/** The keys that were added last, and those of present milestones. */
export function boundedKeys(raised: AlreadyRaised, milestones: readonly Milestone[]): AlreadyRaised {
  const keys = Object.entries(raised.keys ?? {});
  if (keys.length <= KEYS_MAX) return raised;
  const present = new Set(milestones.map(({ key }) => key));
  const kept = keys.filter(([key], index) => index >= keys.length - KEYS_MAX || present.has(key));
  return { ...raised, keys: Object.fromEntries(kept) };
}

/** The time of each milestone, by its key. */
export function milestoneKeys(milestones: readonly Milestone[]): RaisedKeys {
  return Object.fromEntries(milestones.map(({ key, at }) => [key, at.ms]));
}

/** A vessel that was taken to have left with the box spends no key of the one that does. */
export function withRaisedKeys(box: BoxRecord): BoxRecord {
  // In an answer from before that is known, the departure is still that vessel's.
  const made = box.sailings.filter(({ departedMs }) => departedMs !== null);
  const untrue = (box.missedSailings ?? []).filter(
    (missed) =>
      missed.departed === true && !made.some((sailing) => isSameMissed(missed, { imo: null, ...sailing })),
  );
  if (untrue.length === 0) return box;
  const milestones = box.milestones.map((milestone) => {
    const from = placeKey(milestone.place ?? null);
    const count = untrue.filter((missed) => missed.from === from).length;
    if (milestone.type !== "vessel_departed" || count === 0) return milestone;
    return { ...milestone, key: `${milestone.key}:${count}` };
  });
  return { ...box, milestones };
}

/** What has been raised, of an older record by what it held and flagged. */
export function raisedBy(box: BoxRecord, nowMs: number): AlreadyRaised {
  if (box.told.keys !== undefined) return box.told;
  const { milestones, arrived, arrivedAt, misrouted, demurrageWarning, demurrageStarted, ...raised } =
    box.told;
  const { steps } = deriveStatus(box.timeline, nowMs, { announced: box.announced ?? NOTHING_ANNOUNCED });
  const held = milestoneKeys(box.milestones);
  // Only departures were counted by port; the others are found again in the timeline unless it has lost them.
  const kept = [...(milestones ?? []), ...Object.keys(held)].filter(
    (key) => key.startsWith("vessel_departed:") || !(key in held),
  );
  const freeDay = (type: string): string =>
    box.freeTime === null ? type : keyAt(type, box.destination ?? box.discharge, box.freeTime.lastFreeDay);
  const flagged = [
    ...(arrived === true ? [keyAt("container_arrived", arrivedAt ?? box.eta?.place ?? null)] : []),
    ...(misrouted === true ? [keyAt("container_misrouted", box.misrouting?.discharge ?? null)] : []),
    ...(demurrageWarning === true ? [freeDay("demurrage_warning")] : []),
    ...(demurrageStarted === true ? [freeDay("demurrage_started")] : []),
  ];
  const found = milestoneKeys(milestonesOf(steps, box.timeline));
  return withKeys({ ...raised, keys: found }, [...kept, ...flagged]);
}
