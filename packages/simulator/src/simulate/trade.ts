/** The liner services of a simulation: served, and described. */
import { feedEntry, type FeedEntry } from "../liners/schedules-file.ts";
import { serveTrade } from "../liners/server.ts";
import { createTrade } from "../liners/trade.ts";
import type { Clock } from "../world/clock.ts";

export type SimulatedTrade = {
  /** Their entries in the schedules file. */
  readonly feeds: readonly FeedEntry[];
  readonly json: object;
  /** For a person, without the last line's end. `path` is where the schedules file was written. */
  textFor(path: string | undefined): string;
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
 * The service fetches the weeks ahead of its own clock, and warns of cut-offs in them. The schedules of a much faster
 * clock would soon lie outside those weeks.
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
  const { url, close } = await serveTrade({ trade, nowMs, speed, port });
  const feeds = trade.carriers.flatMap((carrier) =>
    carrier.feeds.map((feed) => feedEntry(carrier, feed, url, FETCH_INTERVAL)),
  );
  return { feeds, json: { url, feeds }, textFor: (path) => textOf(url, feeds, path), close };
}

function textOf(url: string, feeds: readonly FeedEntry[], path: string | undefined): string {
  const file = path ?? "schedules.json";
  return [
    `${feeds.length} feeds of sailing schedules are at ${url}`,
    path === undefined
      ? `To have them asked, write their entries with --schedules-file ${file}, and add to the service's settings`
      : `Their entries are in ${path}; add to the service's settings`,
    `  BOATHOOK_SCHEDULES_FILE=${file}`,
  ].join("\n");
}
