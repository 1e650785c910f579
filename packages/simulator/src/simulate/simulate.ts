/** Serves the simulated worlds until a signal ends them, and prints what can be tracked in them. */
import { jsonText, type Host } from "../host.ts";
import { openAirport } from "./airport.ts";
import { runningWorld, type WorldIndex } from "./attach.ts";
import { writeSimulatedFiles } from "./files.ts";
import { openHarbour } from "./harbour.ts";
import { trackReferences } from "./track.ts";
import { openTrade } from "./trade.ts";

export type SimulateOptions = {
  readonly boxes: number;
  readonly waybills: number;
  readonly seed: number;
  /** Milliseconds of the worlds for each real one. */
  readonly speed: number;
  /** Of the carriers; the airlines and the schedules have the two after it. 0: three free ones. */
  readonly port: number;
  /** Where to write the files for the service's settings. */
  readonly carriersFile?: string | undefined;
  readonly airlinesFile?: string | undefined;
  readonly schedulesFile?: string | undefined;
  /** Overwrite files that no simulation wrote. */
  readonly force: boolean;
  /** The operator's listener of a running service, for the airlines that push; null: nothing is pushed. */
  readonly operator: { readonly url: string; readonly token: string } | null;
  /** A running service that is to track what the simulation prints. */
  readonly track: { readonly url: string; readonly key: string } | null;
  readonly json: boolean;
};

/** What one world shows of itself. */
type WorldReport = { readonly path: string | undefined; readonly text: string };

/** Begins a world, or has the one that runs on `port` tracked. */
export async function simulate(options: SimulateOptions, host: Host): Promise<void> {
  const { port, track } = options;
  const running = track === null || port === 0 ? null : await runningWorld(port);
  if (track === null || running === null) return beginWorld(options, host);
  const { carriersFile, airlinesFile, schedulesFile, operator } = options;
  if ([carriersFile, airlinesFile, schedulesFile].some(Boolean) || operator !== null) {
    throw host.failure(`A world runs on port ${port} already: start that one with --push and its files.`, 2);
  }
  await trackReferences(track, running.containers, running.waybills, host);
  host.out(`Tracked what the world on port ${port} shows: ${track.url}\n`);
}

async function beginWorld(options: SimulateOptions, host: Host): Promise<void> {
  const { boxes, waybills, seed, speed, port, operator, track } = options;
  const { clock } = host;
  const world = { seed, startMs: clock.nowMs(), speed, clock };
  await using opened = new AsyncDisposableStack();
  const open = openBehind(port, opened, host);
  const index = (): WorldIndex => ({
    boathook: "simulated world",
    containers: harbour.shown.map(({ reference }) => reference),
    waybills: airport.shown.map(({ awb }) => awb),
  });
  const harbour = await open(0, (on) => openHarbour({ ...world, boxes, port: on, index }));
  const airport = await open(1, (on) =>
    openAirport({ ...world, waybills, operator, port: on, warn: (line) => host.err(line) }),
  );
  const trade = await open(2, (on) => openTrade({ ...world, port: on }));

  const files = [
    { path: options.carriersFile, entries: harbour.carriers, text: harbour.textFor },
    { path: options.airlinesFile, entries: airport.airlines, text: airport.textFor },
    { path: options.schedulesFile, entries: trade.feeds, text: trade.textFor },
  ];
  const asked = files.flatMap((file) => (file.path === undefined ? [] : { ...file, path: file.path }));
  await writeSimulatedFiles(asked, options.force, host);
  const text = textOf(files.map((file) => ({ path: file.path, text: file.text(file.path) })));
  host.out(
    options.json
      ? jsonText({ event: "listening", ...harbour.json, air: airport.json, schedules: trade.json })
      : text,
  );
  if (track !== null) {
    const { containers, waybills: awbs } = index();
    await trackReferences(track, containers, awbs, host);
  }
  await host.untilSignal();
}

type Closable = { close(): Promise<void> };

/** Opens what listens so many ports behind the first one, and closes it with the others. */
function openBehind(port: number, opened: AsyncDisposableStack, host: Host) {
  return async <Served extends Closable>(
    behind: number,
    open: (port: number) => Promise<Served>,
  ): Promise<Served> => {
    const on = port === 0 ? 0 : port + behind;
    const served = await open(on).catch((cause: Error) => {
      throw host.failure(`port ${on} cannot be listened on: ${cause.message}`, 1);
    });
    opened.defer(() => served.close());
    return served;
  };
}

/** The worlds first whose files were asked for. */
function textOf(worlds: readonly WorldReport[]): string {
  const [asked, others] = [
    worlds.filter(({ path }) => path !== undefined),
    worlds.filter(({ path }) => path === undefined),
  ];
  return [...[...asked, ...others].map(({ text }) => text), "End it with Ctrl-C.", ""].join("\n");
}
