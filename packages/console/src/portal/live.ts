/** Asks again every few seconds while somebody looks, and says whether the service answers. */
import { useEffect, useState } from "preact/hooks";

import { whenAnswered } from "../ui/api.ts";
import { followEvents } from "../ui/event-stream.ts";
import { createLive, type Live } from "../ui/live.ts";
import { addressOf, ask } from "./answers.ts";
import { currentSession } from "./session.ts";

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

let isTrying = false;
/** Not every page asks at a tick, and without an answer nobody would hear that the service is there again. */
async function tryAgain(): Promise<void> {
  if (isTrying || now().state !== "away" || currentSession() === null) return;
  isTrying = true;
  await ask("GET /v1/event-types");
  isTrying = false;
}

const askIfSeen = (): void => {
  if (document.visibilityState !== "visible") return;
  askAgain();
  void tryAgain();
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
