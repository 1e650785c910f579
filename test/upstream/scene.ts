/** One upstream, asked over a real socket. */
import type { RequestListener } from "node:http";

import { createUpstream, type Upstream, type UpstreamSettings } from "../../src/freight/upstream/upstream.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { serving } from "./serving.ts";

type Scene = {
  readonly clock: ManualClock;
  readonly upstream: Upstream;
  ask(path?: string, isUnresolved?: boolean, account?: string): Promise<string>;
};

/** Asks a real server; each outcome is one word. */
export function scene(
  settings: (url: string) => UpstreamSettings,
  listener: RequestListener,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  return serving(listener, async ({ url, http }) => {
    const clock = manualClock();
    const upstream = createUpstream("api", settings(url), { http, clock, random: { fraction: () => 1 } });
    await work({
      clock,
      upstream,
      async ask(path = "/", isUnresolved = false, account?: string) {
        const options = {
          headers: { "api-key": "k" },
          timeoutMs: 5_000,
          bodyBytesMax: 1_000,
          isUnresolved,
          ...(account === undefined ? {} : { account }),
        };
        const answer = await upstream.get(new URL(path, url), options);
        if (answer.kind === "answered") return `${answer.status} ${answer.body}`.trim();
        if (answer.kind === "refused") return `${answer.reason} ${answer.retryAfterMs}`;
        return answer.kind === "failed" ? answer.reason : `not_permitted ${answer.status}`;
      },
    });
  });
}
