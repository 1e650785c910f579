/**
 * What open pages of the console ask: the live stream, and with each of its events what the page shows. Chromium itself
 * runs on the operator's machine and stays out: here it would take the processors that are measured.
 */
import { OPERATOR_TOKEN, type Service } from "./service.ts";

/** Of the overview, the endpoints and the deliveries, each in a tab. */
const PAGES: readonly (readonly string[])[] = [
  ["/v1/history?range=hour", "/v1/endpoints/failing?limit=10"],
  ["/v1/endpoints"],
  ["/v1/deliveries"],
];

export type OpenConsole = {
  /** Of the requests answered, streams left out, what each took. */
  readonly tookMs: readonly number[];
  close(): Promise<void>;
};

export async function openConsole({ ops }: Pick<Service, "ops">): Promise<OpenConsole> {
  const ending = new AbortController();
  const { signal } = ending;
  const tookMs: number[] = [];
  const get = async (path: string): Promise<Response> => {
    const response = await fetch(`${ops}${path}`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "accept-encoding": "gzip" },
      signal,
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response;
  };
  const show = async (paths: readonly string[]): Promise<void> => {
    await Promise.all(
      paths.map(async (path) => {
        const startedMs = performance.now();
        await (await get(path)).arrayBuffer();
        tookMs.push(performance.now() - startedMs);
      }),
    );
  };
  async function follow(paths: readonly string[], opened: () => void): Promise<void> {
    const stream = await get("/v1/live");
    await show(paths);
    opened();
    for await (const text of stream.body!.pipeThrough(new TextDecoderStream()))
      if (text.includes("event: status")) await show(paths);
    throw new Error("the live stream ended");
  }
  const following: Promise<void>[] = [];
  await Promise.all(
    PAGES.map(
      (paths) =>
        new Promise<void>((resolve, reject) => {
          const followed = follow(paths, resolve);
          followed.catch(reject);
          following.push(followed);
        }),
    ),
  );
  return {
    tookMs,
    async close() {
      ending.abort();
      const ended = await Promise.allSettled(following);
      for (const one of ended) if (one.status === "rejected" && !isAbort(one.reason)) throw one.reason;
    },
  };
}

function isAbort(reason: unknown): boolean {
  return reason instanceof Error && reason.name === "AbortError";
}
