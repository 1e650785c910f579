import { readFile } from "node:fs/promises";

import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import { createCleanupStack } from "../../runtime/cleanup.ts";
import { jsonLog } from "../../runtime/log.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import type { ExitStatus } from "../../cli/context.ts";
import { createApi } from "../../../packages/simulator/src/demo/api.ts";
import { createDemoState, isDelivered, type DemoState } from "../../../packages/simulator/src/demo/state.ts";
import { ENDPOINTS } from "../../../packages/simulator/src/demo/fixtures.ts";
import { journeyClock } from "../../../packages/simulator/src/demo/journey-clock.ts";
import { createDisplay, tableOf } from "../../../packages/simulator/src/demo/display.ts";
import type { Arrival } from "../../../packages/simulator/src/demo/receiver.ts";
import {
  RETRY_WAITS,
  openDemoEnvironment,
  type DemoEnvironment,
} from "../../../packages/simulator/src/demo/environment.ts";
import {
  expectationsOf,
  raiseEvents,
  registerEndpoints,
  trackShipments,
  type Expectation,
  type Scenario,
} from "../../../packages/simulator/src/demo/scenario.ts";
import { watchScenario, type WatchOptions } from "../../../packages/simulator/src/demo/watch.ts";
import { positiveNumber } from "../../cli/options.ts";

const TITLE = `Boathook, live: all of this is real traffic on this machine. Retry waits are cut to ${RETRY_WAITS}.`;

export const command: CommandFactory = (at) =>
  action(
    "demo",
    "Start the service on a database of its own, a carrier that lives through recorded journeys, and an HTTPS " +
      "receiver. Register endpoints on all five products, and show what arrives. The demo ends by itself, with " +
      "status 0 when everything that should arrive has arrived.",
    "boathook demo",
    "boathook demo --recordings recorded/ --keep",
  )
    .option("--recordings <folder>", "recorded answers to replay instead of our own journeys")
    .option("--speed <times>", "2: the journeys pass twice as fast; 0.5: half as fast", positiveNumber, 1)
    .option("--keep", "stay until Ctrl-C, to try things by hand")
    .action(async ({ speed, ...options }) => {
      const folder = options.recordings ?? JOURNEYS_FOLDER;
      const recordings = await recordingsIn(folder);
      const clock = startSystemClock(jsonLog("warn"));
      const told = at.untilSignal().then((signal) => {
        throw new CommandError(`Ended by ${signal}.`, options.keep === true ? 0 : 1);
      });
      const opened = createCleanupStack();
      const board = createDemoState();
      const painter = createDisplay(TITLE, board, at, clock);
      painter.showStatus("starting the service, a carrier and a receiver");
      const journeys = journeyClock(recordings, speed, clock);
      const onArrival = (arrival: Arrival) => painter.showArrival(board.recordArrival(arrival));
      const setting = openDemoEnvironment({ recordings: folder, journeys, clock, at, onArrival }, opened);
      try {
        const live = { board, painter, journeys, clock };
        const shown = setting.then((stage) => runDemo(stage, live, options.recordings === undefined));
        const { status, nextSteps } = await Promise.race([shown, told]);
        painter.close();
        at.out((at.terminal === null ? "" : tableOf(board.rows())) + status.text);
        if (options.keep !== true) {
          at.exitStatus = status.code;
          return;
        }
        at.out(nextSteps);
        await told;
      } finally {
        painter.close();
        // Ctrl-C may come while the stage is being set: what it opens later would stay open.
        await setting.catch(() => {});
        await opened.closeAll();
        clock.stop();
      }
    });

async function recordingsIn(folder: string) {
  const recordings = await readRecordings(folder).catch((cause: Error) => {
    throw new CommandError(`${folder} cannot be read: ${cause.message}`);
  });
  if (recordings.length === 0) throw new CommandError(`${folder} holds no recorded answers`);
  return recordings;
}

type DemoContext = Pick<WatchOptions, "board" | "painter" | "journeys" | "clock">;

type DemoResult = {
  readonly status: { readonly text: string; readonly code: ExitStatus };
  /** How to go on by hand. */
  readonly nextSteps: string;
};

/** `ownJourneys`: of which we know how they end. */
async function runDemo(stage: DemoEnvironment, live: DemoContext, ownJourneys: boolean): Promise<DemoResult> {
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
  return { status: summary(board, expected), nextSteps: manualSteps(stage, { publicUrl, opsUrl }, story) };
}

function summary(board: DemoState, expected: readonly Expectation[]): DemoResult["status"] {
  const rows = board.rows();
  const missing = expected.filter(({ isMet }) => !isMet(board)).map(({ text }) => text);
  const undelivered = rows.filter((row) => !isDelivered(row)).length;
  const retried = rows.filter(({ attempts }) => attempts > 1).length;
  const latencies = rows.map(({ latencyMs }) => latencyMs).toSorted((one, other) => one - other);
  const isComplete = missing.length === 0 && undelivered === 0;
  const lines = [
    "",
    `${rows.length} events arrived at ${ENDPOINTS.length} endpoints of five products, every signature checked; ` +
      `${retried} needed a retry. From event to arrival: median ${latencies[Math.floor(latencies.length / 2)] ?? "-"} ms, ` +
      `longest ${latencies.at(-1) ?? "-"} ms.`,
    ...missing.map((text) => `Did not arrive: ${text}`),
    ...(undelivered > 0 ? [`${undelivered} were not taken, or not signed as they should be.`] : []),
    ...(isComplete ? ["Everything that should have arrived has."] : []),
    "",
  ];
  return { text: lines.join("\n"), code: isComplete ? 0 : 1 };
}

function manualSteps(
  { tokenFile, replay, receiver }: DemoEnvironment,
  { publicUrl, opsUrl }: { readonly publicUrl: string; readonly opsUrl: string },
  { accountId, keys }: Scenario,
): string {
  const event = {
    product: "rates",
    account_id: accountId,
    type: "index_refreshed",
    data: { subject: "by hand", index_id: "europe", dated: "2026-10-30", value: "1042.17" },
  };
  return `
The service stays until Ctrl-C.
  public API      ${publicUrl}/tracking/docs (and /air, /schedules, /rates, /loading)
  operator's API  ${opsUrl}, token in ${tokenFile}
  carrier         ${replay.url}/events
  receiver        ${receiver.url}

List the endpoints of a product:
  curl -H 'Authorization: Bearer ${keys["tracking"]}' ${publicUrl}/tracking/v1/webhooks

Raise an event:
  curl -H "Authorization: Bearer $(cat ${tokenFile})" -H 'Content-Type: application/json' \\
    -d '${JSON.stringify({ events: [event] })}' ${opsUrl}/v1/events
`;
}
