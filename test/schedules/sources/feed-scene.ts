/** A feed behind real sockets, and a client of it. */
import type { IncomingHttpHeaders } from "node:http";

import { createFeedClient, type FeedClient } from "../../../src/products/schedules/sources/feed-client.ts";
import type { FeedAnswer } from "../../../src/products/schedules/sources/feed-client.ts";
import type { PolledFeed } from "../../../src/products/schedules/sources/feed-schema.ts";
import { manualClock, START_MS, type ManualClock } from "../../support/clock.ts";
import { serving } from "../../upstream/serving.ts";

export type Asked = { readonly path: string; readonly headers: IncomingHttpHeaders };
export type Reply = {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};

export type Scene = {
  readonly fetch: () => Promise<FeedAnswer>;
  readonly desk: FeedClient;
  readonly clock: ManualClock;
  readonly asked: readonly Asked[];
  /** The requests in order, without the address. */
  readonly queries: () => readonly string[];
};

export const NOW_MS = START_MS;

/** `fields` are of the feed's entry; `reply` gets the number of the request, from 0. */
export function atFeed(
  fields: object,
  reply: (asked: Asked, number: number) => Reply,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  const asked: Asked[] = [];
  return serving(
    (request, response) => {
      const one = { path: request.url ?? "", headers: request.headers };
      asked.push(one);
      const { status = 200, body = [], headers = {} } = reply(one, asked.length - 1);
      response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
    },
    async ({ url, http }) => {
      const clock = manualClock();
      const feed: PolledFeed = {
        name: "heron",
        carrier: "HRNL",
        kind: "ovs-service-schedules",
        url: `${url}/schedules`,
        ...fields,
      };
      const desk = createFeedClient({ feeds: [feed], http, clock, random: { fraction: () => 1 } });
      await work({
        fetch: () => desk.fetchFeed(feed, clock.nowMs()),
        desk,
        clock,
        asked,
        queries: () => asked.map(({ path }) => decodeURIComponent(path.slice(path.indexOf("?") + 1))),
      });
    },
  );
}

/** An instant that many days after the start of the tests' clock. */
export function inDays(days: number): string {
  return new Date(NOW_MS + days * 24 * 3_600_000).toISOString();
}
