/** Asks again every few seconds while somebody looks, and says whether the service answers. */
import { useEffect, useState } from "preact/hooks";

import { whenAnswered } from "../ui/api.ts";

export type Live = {
  readonly state: "live" | "away";
  /** Changes whenever there may be something new. */
  readonly tick: number;
  /** What the key may still ask in this minute; null: not known yet. */
  readonly requestsLeft: number | null;
};

const POLL_MS = 4_000;

let live: Live = { state: "live", tick: 0, requestsLeft: null };
const listeners = new Set<(next: Live) => void>();

function change(part: Partial<Live>): void {
  live = { ...live, ...part };
  for (const listener of listeners) listener(live);
}

export function askAgain(): void {
  change({ tick: live.tick + 1 });
}

whenAnswered((headers) => {
  const left = /;r=(\d+)/.exec(headers?.get("ratelimit") ?? "")?.[1];
  const requestsLeft = left === undefined ? live.requestsLeft : Number(left);
  const state = headers === null ? "away" : "live";
  if (state !== live.state || requestsLeft !== live.requestsLeft) change({ state, requestsLeft });
});

setInterval(() => {
  if (document.visibilityState === "visible") askAgain();
}, POLL_MS);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") askAgain();
});

export function useLive(): Live {
  const [now, setNow] = useState(live);
  useEffect(() => {
    setNow(live);
    listeners.add(setNow);
    return () => void listeners.delete(setNow);
  }, []);
  return now;
}
