/**
 * Liner services of a world, who know what becomes of each call: the service fetches their schedules through all that
 * goes wrong. Their time goes faster than the world's and ends with the story, so that all they state lies in the weeks
 * that the service asks for.
 */
import type { LinerFeed } from "../../packages/simulator/src/liners/carriers.ts";
import { feedOutageAt } from "../../packages/simulator/src/liners/outages.ts";
import type { CallReport } from "../../packages/simulator/src/liners/reporting.ts";
import { feedEntry } from "../../packages/simulator/src/liners/schedules-file.ts";
import { serveTrade } from "../../packages/simulator/src/liners/server.ts";
import { createTrade } from "../../packages/simulator/src/liners/trade.ts";
import { DAY_MS } from "../../packages/simulator/src/world/durations.ts";
import type { Body } from "./http.ts";
import { START_MS } from "./beginning.ts";
import { stirred, worldMs } from "./time.ts";

export type Trade = {
  /** Of the schedules file. */
  readonly entries: readonly object[];
  readonly ports: readonly string[];
  /** Whether the feed gives no answer at the end. */
  isAway(name: string): boolean;
  /** What the service shows otherwise than the carriers say at the end, but for feeds that it has not fetched. */
  wrongOf(shown: readonly Body[], behind: ReadonlySet<string>): readonly string[];
  close(): Promise<void>;
};

const PORT = 7_003;
/** A day in ten seconds. */
export const TRADE_SPEED = 86_400 / 10;
const FETCH_INTERVAL = "5s";
/** Feeds that say what is cancelled, and of each the services that call at no port twice on a voyage. */
const FEEDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["kite-ovs", ["K1"]],
  ["loon-ovs", ["L1"]],
]);
/** What a feed says of these is no plain word. */
const UNCLEAR: ReadonlySet<string> = new Set(["gone", "absent", "renumbered", "with_voyage", "claimed"]);
/** Codes of DCSA. */
export const CANCELLED: ReadonlySet<unknown> = new Set(["BLNK", "SLID", "OMIT"]);
export const SHOWN_CANCELLED: ReadonlySet<unknown> = new Set(["blanked", "slid", "omitted"]);

export async function openTrade(
  seed: number,
  { nowMs, onAnswer }: { readonly nowMs: () => number; readonly onAnswer: (line: string) => void },
): Promise<Trade> {
  const trade = createTrade({ seed, startMs: START_MS });
  const served = await serveTrade({
    trade,
    nowMs() {
      stirred();
      onAnswer("a liner is asked");
      return nowMs();
    },
    speed: TRADE_SPEED,
    port: PORT,
  });
  const feeds = trade.carriers.flatMap((carrier) =>
    carrier.feeds.flatMap((feed) => {
      const services = FEEDS.get(feed.name);
      return services === undefined ? [] : [{ carrier, feed, services }];
    }),
  );
  const reportsOf = ({ carrier, feed, services }: (typeof feeds)[number]): readonly CallReport[] => {
    const [fromMs, untilMs] = [START_MS, START_MS + worldMs() + (feed.daysAhead - 2) * DAY_MS];
    return services.flatMap((service) =>
      trade.reports(carrier, feed, { service, port: null, vessel: null, fromMs, untilMs }, nowMs()),
    );
  };
  const isAway = (feed: LinerFeed): boolean => feedOutageAt(seed, feed, nowMs()) !== null;
  const reports = (behind: ReadonlySet<string>): readonly CallReport[] =>
    feeds.filter(({ feed }) => !behind.has(feed.name) && !isAway(feed)).flatMap(reportsOf);
  return {
    entries: feeds.map(({ carrier, feed, services }) => ({
      ...feedEntry(carrier, feed, served.url, FETCH_INTERVAL),
      services,
    })),
    ports: [...new Set(feeds.flatMap(reportsOf).map(({ call }) => call.port))],
    isAway: (name) => feeds.some(({ feed }) => feed.name === name && isAway(feed)),
    wrongOf(shown, behind) {
      const said = reports(behind);
      const cancelledRounds = new Set(
        said
          .filter(({ status }) => CANCELLED.has(status))
          .map(({ call }) => `${call.service} ${call.roundVoyage}`),
      );
      return said.flatMap((report) => {
        const { call, status } = report;
        if (call.disruptions.some(({ kind }) => UNCLEAR.has(kind))) return [];
        const isCancelled = CANCELLED.has(status);
        const { estimated: saidMs, actual } = report.departure;
        // Of a voyage that is cancelled when it has left here.
        if (isCancelled && actual !== null) return [];
        // A call at which the number changes belongs to two voyages.
        if (!isCancelled && cancelledRounds.has(`${call.service} ${call.roundVoyage}`)) return [];
        const one = shown.find((each) => isOf(each, report));
        const name = `${call.service} ${report.voyage.export} at ${call.port}`;
        if (one === undefined) return [`the call of ${name} is not shown`];
        if (SHOWN_CANCELLED.has(one["status"]) !== isCancelled)
          return [`the call of ${name} is ${String(status)} by its carrier, and ${String(one["status"])}`];
        const { estimated } = one["departure"] as Body;
        // What has left is ahead of the service's time.
        if (isCancelled || actual !== null || saidMs === null || saidMs === Date.parse(String(estimated)))
          return [];
        return [`${name} departs at ${new Date(saidMs).toISOString()}, and is shown at ${String(estimated)}`];
      });
    },
    close: served.close,
  };
}

function isOf(shown: Body, { call, voyage }: CallReport): boolean {
  return (
    shown["service"] === call.service &&
    shown["port"] === call.port &&
    shown["import_voyage"] === voyage.import &&
    shown["export_voyage"] === voyage.export
  );
}
