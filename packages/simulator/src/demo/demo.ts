/** A service, a carrier that lives through recorded journeys, and a receiver: real deliveries, shown as they arrive. */
import { readFile } from "node:fs/promises";

import type { Recording } from "../replay/recording.ts";
import { JOURNEYS_FOLDER, readRecordings } from "../replay/server.ts";
import { createApi } from "./api.ts";
import { createDisplay, tableOf } from "./display.ts";
import { openDemoEnvironment, RETRY_WAITS, type DemoEnvironment } from "./environment.ts";
import { ENDPOINTS } from "./fixtures.ts";
import type { DemoHost } from "./host.ts";
import { journeyClock } from "./journey-clock.ts";
import type { Arrival } from "./receiver.ts";
import { summaryOf, type DemoStatus } from "./report.ts";
import { expectationsOf, raiseEvents, registerEndpoints, trackShipments } from "./scenario.ts";
import { createDemoState } from "./state.ts";
import { watchScenario, type WatchOptions } from "./watch.ts";

export type { DemoHost } from "./host.ts";

export type DemoOptions = {
  /** A folder of recorded answers; null: the package's own journeys. */
  readonly recordings: string | null;
  /** 2: the journeys pass twice as fast. */
  readonly speed: number;
};

const TITLE = `Boathook, live: all of this is real traffic on this machine. Retry waits are cut to ${RETRY_WAITS}.`;

/** Returns the exit status: 0 if everything that should arrive has arrived. */
export async function demo(options: DemoOptions, host: DemoHost): Promise<0 | 1> {
  const { clock } = host;
  const folder = options.recordings ?? JOURNEYS_FOLDER;
  const recordings = await recordingsIn(folder, host);
  const ended = host.untilSignal().then((signal) => {
    throw host.failure(`Ended by ${signal}.`, 1);
  });
  const opened = new AsyncDisposableStack();
  const board = createDemoState();
  const painter = createDisplay(TITLE, board, host);
  painter.showStatus("starting the service, a carrier and a receiver");
  const journeys = journeyClock(recordings, options.speed, clock);
  const onArrival = (arrival: Arrival) => painter.showArrival(board.recordArrival(arrival));
  const environment = openDemoEnvironment({ recordings: folder, journeys, host, onArrival }, opened);
  try {
    const live = { board, painter, journeys, clock };
    const shown = environment.then((stage) => runDemo(stage, live, options.recordings === null));
    const status = await Promise.race([shown, ended]);
    painter.close();
    host.out((host.terminal === null ? "" : tableOf(board.rows())) + status.text);
    return status.code;
  } finally {
    painter.close();
    // After a signal during startup, the environment still opens: what it opens has to be closed as well.
    await environment.catch(() => {});
    await opened.disposeAsync();
  }
}

async function recordingsIn(folder: string, { failure }: DemoHost): Promise<readonly Recording[]> {
  const recordings = await readRecordings(folder).catch((cause: Error) => {
    throw failure(`${folder} cannot be read: ${cause.message}`, 2);
  });
  if (recordings.length === 0) throw failure(`${folder} holds no recorded answers`, 2);
  return recordings;
}

type DemoContext = Pick<WatchOptions, "board" | "painter" | "journeys" | "clock">;

/** `ownJourneys`: true if the journeys are ours, whose ends are known. */
async function runDemo(stage: DemoEnvironment, live: DemoContext, ownJourneys: boolean): Promise<DemoStatus> {
  const { board, painter } = live;
  const { publicUrl, opsUrl } = await stage.service.listening;
  const token = (await readFile(stage.tokenFile, "utf8")).trim();
  const ops = createApi(opsUrl, token);
  const story = await registerEndpoints(ops, publicUrl, stage.receiver);
  painter.showStatus(
    `registered ${ENDPOINTS.length} endpoints on five products; rates-unwell fails twice, then recovers`,
  );
  board.shipments = await trackShipments(story, stage.replay.references);
  painter.showStatus(`tracking ${board.shipments.map(({ reference }) => reference).join(", ")}`);
  await raiseEvents(ops, story);
  painter.showStatus("raised one event on each of the other products, through the operator's API");
  const expected = expectationsOf(board.shipments, ownJourneys);
  await Promise.race([watchScenario({ ...live, story, expected }), stage.service.exited]);
  return summaryOf(board, expected);
}
