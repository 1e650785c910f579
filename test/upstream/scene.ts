/** One upstream, asked over a real socket. */
import type { RequestListener } from "node:http";
import type { TestContext } from "node:test";

import { createUpstream, type UpstreamSettings } from "../../src/freight/upstream/upstream.ts";
import { manualClock } from "../support/clock.ts";
import { served } from "./serving.ts";

export const OAUTH = { clientId: "id", clientSecret: "secret" };

/** Asks a real server; each outcome is one word. */
export async function scene(
  t: TestContext,
  settings: UpstreamSettings | ((url: string) => UpstreamSettings),
  listener: RequestListener,
) {
  const { url, http } = await served(t, listener);
  const clock = manualClock();
  const written = typeof settings === "function" ? settings(url) : settings;
  const upstream = createUpstream("api", written, { http, clock, random: { fraction: () => 1 } });
  const ask = async (path = "/", isUnresolved = false, account?: string): Promise<string> => {
    const options = { headers: { "api-key": "k" }, timeoutMs: 5_000, bodyBytesMax: 1_000, isUnresolved };
    const asked = account === undefined ? options : { ...options, account };
    const answer = await upstream.get(new URL(path, url), asked);
    if (answer.kind === "answered") return `${answer.status} ${answer.body}`.trim();
    if (answer.kind === "refused") return `${answer.reason} ${answer.retryAfterMs}`;
    return answer.kind === "failed" ? answer.reason : `not_permitted ${answer.status}`;
  };
  return { clock, upstream, ask, askFor: (account?: string) => ask("/", false, account) };
}
