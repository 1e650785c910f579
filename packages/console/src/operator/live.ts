/**
 * What the service says as it changes, shared by all pages.
 *
 *     connecting ─(first event)─▶ live ─(the stream ends)─▶ away ─(it is there again)─▶ live
 */
import { useEffect, useState } from "preact/hooks";

import type { Sample, Status } from "./answers.ts";
import { followLive, type Said } from "./live-stream.ts";

export type Live = {
  readonly state: "connecting" | "live" | "away";
  readonly status: Status | null;
  readonly sample: Sample | null;
  /** Why the service cannot say how it is. */
  readonly trouble: string | null;
  /** Changes whenever there may be something new. */
  readonly tick: number;
};

const START: Live = { state: "connecting", status: null, sample: null, trouble: null, tick: 0 };

let live: Live = START;
let leave: (() => void) | null = null;
const listeners = new Set<(next: Live) => void>();

function change(part: Partial<Live>): void {
  live = { ...live, ...part };
  for (const listener of listeners) listener(live);
}

function hear(said: Said): void {
  if (said.is === "away") return change({ state: "away" });
  if (said.is === "sample") return change({ sample: said.data });
  const part = said.is === "status" ? { status: said.data, trouble: null } : { trouble: said.data.message };
  change({ ...part, state: "live", tick: live.tick + 1 });
}

export function startLive(): void {
  leave?.();
  leave = followLive(hear);
}

export function stopLive(): void {
  leave?.();
  leave = null;
  change(START);
}

export function useLive(): Live {
  const [now, setNow] = useState(live);
  useEffect(() => {
    setNow(live);
    listeners.add(setNow);
    return () => void listeners.delete(setNow);
  }, []);
  return now;
}
