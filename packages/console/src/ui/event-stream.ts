/** Server-sent events, read with the headers of the session: an `EventSource` sends none. */
import { headersFor } from "./api.ts";

export type ServerEvent = { readonly event: string; readonly data: string };

export type Follower = {
  readonly hear: (said: ServerEvent) => void;
  readonly onOpen?: () => void;
  /** After it has ended, before it is opened again. `status`: of the answer; null: there was none. */
  readonly onEnd: (status: number | null) => void;
};

/** The service says something each ten to fifteen seconds; one that hangs, and a line that is dead, say nothing. */
const SILENCE_MS_MAX = 30_000;

/** Reads the stream at an address until the returned function is called, and opens it again when it ends. */
export function followEvents(address: string, retryMs: number, follower: Follower): () => void {
  const ended = new AbortController();
  const follow = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const status = await readEvents(address, ended.signal, follower);
      if (ended.signal.aborted) return;
      follower.onEnd(status);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  };
  void follow();
  return () => ended.abort();
}

async function readEvents(
  address: string,
  signal: AbortSignal,
  { hear, onOpen }: Follower,
): Promise<number | null> {
  const silence = new AbortController();
  const silent = (): void => silence.abort();
  let timer = setTimeout(silent, SILENCE_MS_MAX);
  try {
    const response = await fetch(address, {
      headers: await headersFor(address),
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || response.body === null) return response.status;
    onOpen?.();
    let text = "";
    for await (const piece of piecesOf(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(silent, SILENCE_MS_MAX);
      const events = (text + piece).split("\n\n");
      text = events.pop()!;
      for (const one of events) hearEvent(one, hear);
    }
    return response.status;
  } catch {
    // The service restarts or is silent, or the page is left.
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function hearEvent(text: string, hear: (said: ServerEvent) => void): void {
  const fields = new Map(text.split("\n").map((line) => line.split(/: ?(.*)/, 2) as [string, string]));
  const [event, data] = [fields.get("event"), fields.get("data")];
  if (event !== undefined && data !== undefined) hear({ event, data });
}

async function* piecesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value = "" } = await reader.read();
    if (done) return;
    yield value;
  }
}
