/**
 * What the service says as it changes.
 *
 *     connecting ─(first event)─▶ live ─(the stream ends)─▶ away ─(it is there again)─▶ live
 */
import { followEvents } from "../ui/event-stream.ts";
import { createLive, type Live } from "../ui/live.ts";
import { addressOf, ask, type Sample, type Status } from "./answers.ts";

type Known = Live & {
  readonly status: Status | null;
  readonly sample: Sample | null;
  /** Why the service cannot say how it is. */
  readonly trouble: string | null;
};

const START: Known = { state: "connecting", status: null, sample: null, trouble: null, tick: 0 };

const { now, change, useLive } = createLive(START);

export { useLive };

function take(said: Said): void {
  if (said.is === "away") return change({ state: "away" });
  if (said.is === "sample") return change({ sample: said.data });
  const part = said.is === "status" ? { status: said.data, trouble: null } : { trouble: said.data.message };
  change({ ...part, state: "live", tick: now().tick + 1 });
}

/** Until the returned function is called. */
export function startLive(): () => void {
  const leave = followLive(take);
  return () => {
    leave();
    change(START);
  };
}

/** What a page receives. */
type Said =
  | { readonly is: "status"; readonly data: Status }
  | { readonly is: "trouble"; readonly data: { readonly message: string } }
  | { readonly is: "sample"; readonly data: Sample }
  | { readonly is: "away" };

/** Between pages: a new one asks how things are. */
type Word = Said | { readonly is: "joined" };

/** Of the lock and the channel. Another number where a word changes: pages of two versions may be open. */
const NAME = "boathook live 1";
const RETRY_MS = 2_000;
/** More than a page that leads needs to find out that the service does not answer. */
const SILENCE_MS_MAX = 45_000;
const WATCH_MS = 5_000;

const KINDS = ["status", "trouble", "sample"] as const;

/**
 * The stream of what the service says as it changes: one for all pages of a browser, which would otherwise use up its
 * few connections. The page that holds the lock reads the stream and tells the others; the browser gives the lock of a
 * page that closes to the next. Calls `hear` until the returned function is called.
 *
 *     waiting ─(the lock is granted)─▶ leading ─(another page takes it)─▶ waiting
 *     waiting ─(SILENCE_MS_MAX without a word)─▶ leading: the page that leads hangs
 */
function followLive(hear: (said: Said) => void): () => void {
  // Locks are there on pages of HTTPS and of this machine only.
  return "locks" in navigator && "BroadcastChannel" in globalThis ? share(hear) : openStream(hear);
}

function share(hear: (said: Said) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  const left = Promise.withResolvers<void>();
  /** Another page has the lock. */
  let lost = Promise.withResolvers<void>();
  const last = new Map<Said["is"], Said>();
  let isLeft = false;
  let isLeading = false;
  let isTaking = false;
  let waiting = new AbortController();
  let heardAt = performance.now();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
  const post = (word: Word): void => channel.postMessage(word);
  const tell = (said: Said): void => {
    if (said.is === "status") last.delete("trouble");
    last.set(said.is, said);
    post(said);
    hear(said);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
    if (data.is !== "joined") {
      heardAt = performance.now();
      if (!isLeading) hear(data);
    } else if (isLeading) for (const said of last.values()) post(said);
  });
  const lead = async (): Promise<void> => {
    isLeading = true;
    const close = openStream(tell);
    await Promise.race([left.promise, lost.promise]);
    close();
    last.clear();
    isLeading = false;
  };
  const takePart = async (): Promise<void> => {
    while (!isLeft) {
      [waiting, lost] = [new AbortController(), Promise.withResolvers<void>()];
      const how = isTaking ? { steal: true } : { signal: waiting.signal };
      isTaking = false;
      // Refused: another page has taken the lock, or this one no longer waits for it.
      await navigator.locks.request(NAME, how, lead).catch(() => undefined);
      lost.resolve();
    }
  };
  const watch = setInterval(() => {
    if (isLeading || performance.now() - heardAt < SILENCE_MS_MAX) return;
    heardAt = performance.now();
    isTaking = true;
    waiting.abort();
  }, WATCH_MS);
  post({ is: "joined" });
  void takePart();
  return () => {
    isLeft = true;
    clearInterval(watch);
    channel.close();
    waiting.abort();
    left.resolve();
  };
}

function openStream(hear: (said: Said) => void): () => void {
  const close = followEvents(addressOf("/v1/live"), RETRY_MS, {
    hear({ event, data }) {
      if (isKind(event)) hear({ is: event, data: JSON.parse(data) });
    },
    onEnd(status) {
      hear({ is: "away" });
      if (status !== 401) return;
      close();
      // A plain request shows the sign-in.
      void ask("GET /v1/history");
    },
  });
  return close;
}

const isKind = (event: string): event is (typeof KINDS)[number] =>
  (KINDS as readonly string[]).includes(event);
