import { carrierEntry } from "../../../packages/simulator/src/harbour/carriers-file.ts";
import {
  createHarbour,
  type Harbour,
  type HarbourBox,
} from "../../../packages/simulator/src/harbour/harbour.ts";
import { serveHarbour } from "../../../packages/simulator/src/harbour/server.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { jsonLog } from "../../runtime/log.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION, positiveNumber, wholeNumber } from "../../cli/options.ts";
import { jsonOfAirport, openAirport, textOfAirport, type SimulatedAirport } from "./simulated-airport.ts";
import { writeSimulatedFiles } from "./simulated-files.ts";
import {
  jsonOfTrade,
  openTrade,
  textOfTrade,
  TRADE_SPEED_MAX,
  type SimulatedTrade,
} from "./simulated-trade.ts";
import { jsonText } from "../../cli/print.ts";

const BOXES_DEFAULT = 1_000;
const BOXES_MAX = 1_000_000;
const WAYBILLS_DEFAULT = 1_000;
/** What is pushed of each is kept in order in memory. */
const WAYBILLS_MAX = 100_000;
const SEED_DEFAULT = 1;
const SEED_MAX = 999_999_999;
/** An hour of the harbour in little more than three seconds. */
const SPEED_DEFAULT = 1_000;
const PORT_MAX = 65_535;

/** References to try, of shipments under way. */
const REFERENCES_SHOWN = 20;
/** Journeys are looked through for them. */
const SCANNED_MAX = 2_000;
/** Booked so long ago a shipment is likely to be at sea. */
const UNDER_WAY_DAYS = [12, 40] as const;

const REGISTRATION_MS_MAX = 10_000;

export const command: CommandFactory = (at) =>
  action(
    "simulate",
    "Serve a made-up world of ten carriers, their vessels, voyages and boxes as DCSA Track & Trace 2.2 and 3.0 APIs " +
      "on loopback, under a sped-up clock: with delays, roll-overs, re-routes, misroutings, customs holds, and " +
      "carriers that report them late, wrongly or not at all. Beside it, serve a world of airlines and air waybills, " +
      "which answer Cargo-IMP (FSR) or ONE Record, or push messages, and a world of liner services, whose schedules " +
      "answer DCSA's Commercial Schedules 1.0 or Operational Vessel Schedules 3.0. The same seed gives the same worlds.",
    "boathook simulate --port 8090 --carriers-file carriers.json",
    "boathook simulate --port 8090 --track http://127.0.0.1:8080 --key tracking_…",
  )
    .option("--boxes <number>", "how many boxes there are", wholeNumber(1, BOXES_MAX), BOXES_DEFAULT)
    .option(
      "--waybills <number>",
      "how many air waybills there are",
      wholeNumber(1, WAYBILLS_MAX),
      WAYBILLS_DEFAULT,
    )
    .option("--seed <number>", "which world it is", wholeNumber(0, SEED_MAX), SEED_DEFAULT)
    .option(
      "--speed <times>",
      `how many times faster than the real one its clock runs; that of schedules at most ${TRADE_SPEED_MAX}`,
      positiveNumber,
      SPEED_DEFAULT,
    )
    .option(
      "--port <number>",
      "the port to listen on, and the two after it for airlines and for schedules; 0: three free ones",
      wholeNumber(0, PORT_MAX - 2),
      0,
    )
    .option("--carriers-file <path>", "write the carriers file for BOATHOOK_CARRIERS_FILE there")
    .option("--airlines-file <path>", "write the airlines file for BOATHOOK_AIRLINES_FILE there")
    .option("--schedules-file <path>", "write the schedules file for BOATHOOK_SCHEDULES_FILE there")
    .option("--force", "overwrite files that no simulation wrote")
    .option("--push <url>", "push the airlines' messages to a running service: its operator's address")
    .option("--operator-token <token>", "the operator's token for --push")
    .option("--track <url>", "have a running service track these shipments: its address")
    .option("--key <key>", "the tracking key for --track")
    .option(...JSON_OPTION)
    .action(async (options) => {
      const { boxes, waybills, seed, speed, port, track, key, push, operatorToken: token } = options;
      if ((track === undefined) !== (key === undefined))
        throw new CommandError("--track and --key go together.");
      if ((push === undefined) !== (token === undefined))
        throw new CommandError("--push and --operator-token go together.");
      const clock = startSystemClock(jsonLog("warn"));
      const startMs = clock.nowMs();
      const harbour = createHarbour({ seed, boxes, startMs });
      const operator = push === undefined || token === undefined ? null : { url: push, token };
      const world = { seed, startMs, speed, clock };
      const opened: Closable[] = [];
      try {
        const served = await openOnPort(opened, port, 0, (on) =>
          serveHarbour({ ...world, harbour, port: on }),
        );
        const airport = await openOnPort(opened, port, 1, (on) =>
          openAirport({ ...world, waybills, operator, port: on, warn: at.err }),
        );
        const trade = await openOnPort(opened, port, 2, (on) => openTrade({ ...world, port: on }));
        const carriers = harbour.lines.map((line) => carrierEntry(line, served.url, "answer-date"));
        const path = options.carriersFile;
        const airlinesPath = options.airlinesFile;
        const schedulesPath = options.schedulesFile;
        const files = [
          { path, entries: carriers },
          { path: airlinesPath, entries: airport.airlines },
          { path: schedulesPath, entries: trade.feeds },
        ].flatMap((file) => (file.path === undefined ? [] : { ...file, path: file.path }));
        await writeSimulatedFiles(files, options.force === true);
        const shown = boxesUnderWay(harbour, startMs);
        const worlds = [
          { path, text: textOfHarbour(served.url, path, shown) },
          { path: airlinesPath, text: textOfAirport(airport, airlinesPath) },
          { path: schedulesPath, text: textOfTrade(trade, schedulesPath) },
        ];
        at.out(options.json === true ? jsonOf(served.url, carriers, shown, airport, trade) : textOf(worlds));
        if (track !== undefined && key !== undefined) await register(at, shown, airport, track, key);
        await at.untilSignal();
      } finally {
        await Promise.all(opened.map((one) => one.close()));
        clock.stop();
      }
    });

type Closable = { close(): Promise<void> };

/** Opens what listens `behind` the first port, and keeps it among those to be closed. */
async function openOnPort<Served extends Closable>(
  opened: Closable[],
  port: number,
  behind: number,
  open: (port: number) => Promise<Served>,
): Promise<Served> {
  const on = port === 0 ? 0 : port + behind;
  try {
    const served = await open(on);
    opened.push(served);
    return served;
  } catch (cause) {
    throw new CommandError(`port ${on} cannot be listened on: ${(cause as Error).message}`, 1);
  }
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

function jsonOf(
  url: string,
  carriers: readonly object[],
  shown: readonly HarbourBox[],
  airport: SimulatedAirport,
  trade: SimulatedTrade,
): string {
  const references = shown.map(({ reference, type, scac }) => ({ reference, type, carrier: scac }));
  const [air, schedules] = [jsonOfAirport(airport), jsonOfTrade(trade)];
  return jsonText({ event: "listening", url, carriers, references, air, schedules });
}

type World = { readonly path: string | undefined; readonly text: string };

/** Those first whose files were asked for. */
function textOf(worlds: readonly World[]): string {
  const [asked, others] = [
    worlds.filter(({ path }) => path !== undefined),
    worlds.filter(({ path }) => path === undefined),
  ];
  return [...[...asked, ...others].map(({ text }) => text), "End it with Ctrl-C.", ""].join("\n");
}

/** For a person, without the last line's end. `path` is where the carriers file was written. */
function textOfHarbour(url: string, path: string | undefined, shown: readonly HarbourBox[]): string {
  const file = path ?? "carriers.json";
  return [
    `Ten carriers answer at ${url}/<SCAC>/events`,
    path === undefined
      ? `To have them asked, write their entries with --carriers-file ${file}, and start the service with`
      : `Their entries are in ${path}; start the service with`,
    `  BOATHOOK_CARRIERS_FILE=${file} BOATHOOK_POLL_INTERVAL=5s BOATHOOK_POLL_INTERVAL_NEAR=2s npx boathook serve`,
    "References to try:",
    ...shown.map(({ reference, type, scac }) => `  ${reference.padEnd(12)} ${scac}  ${type}`),
  ].join("\n");
}

/** Has the service track them, one after the other; what it refuses is told and passed over. */
async function register(
  at: ProcessContext,
  shown: readonly HarbourBox[],
  airport: SimulatedAirport,
  service: string,
  key: string,
): Promise<void> {
  const base = service.replace(/\/+$/, "");
  const authorization = `Bearer ${key}`;
  const containers = shown.map(({ reference }) => ({
    reference,
    url: `${base}/tracking/v1/containers`,
    request: {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ reference }),
    },
  }));
  const waybills = airport.shown.map(({ awb }) => ({
    reference: awb,
    url: `${base}/air/track/${awb}`,
    request: { method: "GET", headers: { authorization } },
  }));
  for (const { reference, url, request } of [...containers, ...waybills]) {
    const signal = AbortSignal.timeout(REGISTRATION_MS_MAX);
    const answer = await fetch(url, { ...request, signal }).catch((cause: unknown) => {
      throw new CommandError(`${service} does not answer: ${(cause as Error).message}`, 1);
    });
    const told = await answer.text();
    if (!answer.ok) at.err(`${reference} is not tracked: ${answer.status} ${told}\n`);
  }
}
