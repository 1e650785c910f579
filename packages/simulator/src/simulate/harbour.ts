/** The carriers' side of a simulation: served, and described. */
import { carrierEntry, type CarrierEntry } from "../harbour/carriers-file.ts";
import { createHarbour, type Harbour, type HarbourBox } from "../harbour/harbour.ts";
import { serveHarbour } from "../harbour/server.ts";
import type { Clock } from "../world/clock.ts";
import { DAY_MS } from "../world/durations.ts";

export type SimulatedHarbour = {
  readonly carriers: readonly CarrierEntry[];
  /** Shipments in transit, to try. */
  readonly shown: readonly HarbourBox[];
  readonly json: object;
  /** For a person, without the last line's end. `path` is where the carriers file was written. */
  textFor(path: string | undefined): string;
  close(): Promise<void>;
};

export type SimulatedHarbourOptions = {
  readonly seed: number;
  readonly boxes: number;
  readonly startMs: number;
  readonly speed: number;
  readonly clock: Clock;
  /** What the world says of itself to a simulation that attaches to it. */
  readonly index?: () => object;
  /** 0: one that is free. */
  readonly port: number;
};

const REFERENCES_SHOWN = 20;
/** How many journeys are searched for them. */
const SCANNED_MAX = 2_000;
/** A shipment booked this long ago is likely to be at sea. */
const UNDER_WAY_DAYS = [12, 40] as const;

export async function openHarbour(options: SimulatedHarbourOptions): Promise<SimulatedHarbour> {
  const harbour = createHarbour(options);
  const { url, close } = await serveHarbour({ ...options, harbour });
  const carriers = harbour.lines.map((line) => carrierEntry(line, url, "answer-date"));
  const shown = boxesUnderWay(harbour, options.startMs);
  const references = shown.map(({ reference, type, scac }) => ({ reference, type, carrier: scac }));
  return {
    carriers,
    shown,
    json: { url, carriers, references },
    textFor: (path) => textOf(url, path, carriers.length, shown),
    close,
  };
}

function boxesUnderWay(harbour: Harbour, nowMs: number): readonly HarbourBox[] {
  const shown: HarbourBox[] = [];
  const [least, most] = UNDER_WAY_DAYS;
  const last = Math.min(harbour.boxCount, SCANNED_MAX);
  for (let index = 0; index < last && shown.length < REFERENCES_SHOWN; index += 1) {
    const box = harbour.boxAt(index);
    const days = (nowMs - box.knownMs) / DAY_MS;
    if (days >= least && days <= most) shown.push(box);
  }
  return shown.length > 0 ? shown : [harbour.boxAt(0)];
}

function textOf(
  url: string,
  path: string | undefined,
  carrierCount: number,
  shown: readonly HarbourBox[],
): string {
  const file = path ?? "carriers.json";
  return [
    `${carrierCount} carriers answer at ${url}/<SCAC>/events`,
    path === undefined
      ? `To have them asked, write their entries with --carriers-file ${file}, and start the service with`
      : `Their entries are in ${path}; start the service with`,
    `  BOATHOOK_CARRIERS_FILE=${file} BOATHOOK_POLL_INTERVAL=5s BOATHOOK_POLL_INTERVAL_NEAR=2s npx boathook serve`,
    "References to try:",
    ...shown.map(({ reference, type, scac }) => `  ${reference.padEnd(12)} ${scac}  ${type}`),
  ].join("\n");
}
