/**
 * Follows the account's events as they are raised. An account may have few streams, which `boathook listen` takes, too:
 * a page takes one only while it shows events, and polls where there is none left.
 */
import { useEffect, useState } from "preact/hooks";

import { readEvents } from "../ui/event-stream.ts";
import { addressOf } from "./answers.ts";

const RETRY_MS = 5_000;

/** Calls `onEvent` for each event; true while the stream is open. */
export function useEventStream(onEvent: () => void): boolean {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    void follow(ended.signal, onEvent, setIsOpen);
    return () => ended.abort();
  }, []);
  return isOpen;
}

async function follow(
  signal: AbortSignal,
  onEvent: () => void,
  setIsOpen: (isOpen: boolean) => void,
): Promise<void> {
  while (!signal.aborted) {
    await readEvents(addressOf("/v1/events/stream"), signal, onEvent, () => setIsOpen(true));
    if (!signal.aborted) setIsOpen(false);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
