/** Asks again every few seconds while somebody looks, and says whether the service answers. */
import { useEffect, useState } from "preact/hooks";

import { whenAnswered } from "../ui/api.ts";
import { followEvents } from "../ui/event-stream.ts";
import { createLive, type Live } from "../ui/live.ts";
import { addressOf, ask } from "./answers.ts";

/** `requestsLeft`: what the key may still ask in this minute; null: not known yet. */
type Known = Live & { readonly requestsLeft: number | null };

const POLL_MS = 4_000;
const RETRY_MS = 5_000;

const { now, change, useLive } = createLive<Known>({ state: "live", tick: 0, requestsLeft: null });

export { useLive };

export function askAgain(): void {
  change({ tick: now().tick + 1 });
}

whenAnswered((headers) => {
  const left = /;r=(\d+)/.exec(headers?.get("ratelimit") ?? "")?.[1];
  const requestsLeft = left === undefined ? now().requestsLeft : Number(left);
  const state = headers === null ? "away" : "live";
  if (state !== now().state || requestsLeft !== now().requestsLeft) change({ state, requestsLeft });
});

const askIfSeen = (): void => {
  if (document.visibilityState !== "visible") return;
  askAgain();
  // Not every page asks at a tick.
  if (now().state === "away") void ask("GET /v1/event-types");
};
setInterval(askIfSeen, POLL_MS);
document.addEventListener("visibilitychange", askIfSeen);

/**
 * Asks again at each event of the account as it is raised; true while the stream is open. An account may have few
 * streams, which `boathook listen` takes, too: a page takes one only while it shows events, and polls where there is
 * none left.
 */
export function useEventStream(): boolean {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const onOpen = (): void => setIsOpen(true);
    const onEnd = (): void => setIsOpen(false);
    return followEvents(addressOf("/v1/events/stream"), RETRY_MS, { hear: askAgain, onOpen, onEnd });
  }, []);
  return isOpen;
}
