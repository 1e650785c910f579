/** The side of `boathook simulate` that liner services are: served, and told of. */
import { feedEntry } from "../../../packages/simulator/src/liners/schedules-file.ts";
import { serveTrade } from "../../../packages/simulator/src/liners/server.ts";
import { createTrade } from "../../../packages/simulator/src/liners/trade.ts";
import type { PolledFeed } from "../../products/schedules/sources/feed-schema.ts";
import type { Clock } from "../../runtime/clock.ts";

export type SimulatedTrade = {
  /** What the feeds' paths begin with. */
  readonly url: string;
  /** Their entries in the schedules file. */
  readonly feeds: readonly PolledFeed[];
  close(): Promise<void>;
};

export type SimulatedTradeOptions = {
  readonly seed: number;
  readonly startMs: number;
  readonly speed: number;
  readonly clock: Clock;
  /** 0: one that is free. */
  readonly port: number;
};

/**
 * The service asks for the weeks ahead of its own clock, and by that warns of cut-offs: a trade that ran away from it
 * would soon have nothing to say of them.
 */
export const TRADE_SPEED_MAX = 100;

/** A quarter of an hour of the trade at its greatest speed. */
const FETCH_INTERVAL = "10s";

export async function openTrade(options: SimulatedTradeOptions): Promise<SimulatedTrade> {
  const { seed, startMs, clock, port } = options;
  const speed = Math.min(options.speed, TRADE_SPEED_MAX);
  const trade = createTrade({ seed, startMs });
  const servedMs = clock.nowMs();
  const nowMs = (): number => Math.floor(startMs + (clock.nowMs() - servedMs) * speed);
  const served = await serveTrade({ trade, nowMs, speed, port });
  return {
    ...served,
    feeds: trade.carriers.flatMap((carrier) =>
      carrier.feeds.map((feed) => feedEntry(carrier, feed, served.url, FETCH_INTERVAL)),
    ),
  };
}

/** For a person, without the last line's end. `path` is where the schedules file was written. */
export function textOfTrade({ url, feeds }: SimulatedTrade, path: string | undefined): string {
  const file = path ?? "schedules.json";
  return [
    `${feeds.length} feeds of sailing schedules are at ${url}`,
    path === undefined
      ? `To have them asked, write their entries with --schedules-file ${file}, and add to the service's settings`
      : `Their entries are in ${path}; add to the service's settings`,
    `  BOATHOOK_SCHEDULES_FILE=${file}`,
  ].join("\n");
}

export function jsonOfTrade({ url, feeds }: SimulatedTrade): object {
  return { url, feeds };
}
