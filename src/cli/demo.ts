import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { JOURNEYS_FOLDER, readRecordings } from "../../sim/replay/server.ts";
import type { Clock } from "../runtime/clock.ts";
import { createOpened, type Opened } from "../runtime/closing.ts";
import { jsonLog } from "../runtime/log.ts";
import type { Surroundings } from "../runtime/surroundings.ts";
import { startSystemClock } from "../runtime/system-clock.ts";
import { action, CommandRefused, type ExitStatus } from "./command.ts";
import { apiAt } from "./demo/api.ts";
import { createBoard, isDelivered, type Board } from "./demo/board.ts";
import { ENDPOINTS } from "./demo/cast.ts";
import { journeyClock, type JourneyClock } from "./demo/journey-clock.ts";
import { createPainter, tableOf } from "./demo/paint.ts";
import { RETRY_WAITS, setStage, type Stage } from "./demo/stage.ts";
import { expectations, raise, register, track, type Expectation, type Story } from "./demo/story.ts";
import { watch } from "./demo/watch.ts";
import { positiveNumber } from "./options.ts";

export const command = action({
  about:
    "Starts the service on a database of its own, a carrier that lives through recorded journeys, and an HTTPS " +
    "receiver; registers endpoints on all five products, and shows what arrives. It ends by itself, with status " +
    "0 when everything that should have arrived has.",
  arguments: [],
  options: {
    recordings: {
      type: "string",
      value: "folder",
      about: "recorded answers to replay instead of our own journeys",
    },
    speed: { type: "string", value: "times", about: "2: the journeys pass twice as fast; 0.5: half as fast" },
    keep: { type: "boolean", about: "stay until Ctrl-C, to try things by hand" },
  },
  examples: ["boathook demo", "boathook demo --recordings recorded/ --keep"],
  async run({ options }, at) {
    const speed = positiveNumber("speed", options.speed ?? "1");
    const recordings = options.recordings ?? JOURNEYS_FOLDER;
    const clock = startSystemClock(jsonLog("warn"));
    const opened = createOpened();
    const told = at.untilTold().then((signal) => {
      throw new CommandRefused(`Ended by ${signal}.`, options.keep === true ? 0 : 1);
    });
    told.catch(() => {});
    try {
      const journeys = journeyClock(await recordingsIn(recordings), speed, clock);
      const run = { recordings, ownJourneys: options.recordings === undefined, keep: options.keep === true };
      return await Promise.race([play({ ...run, journeys, clock, at, opened }), told]);
    } finally {
      await opened.closeAll();
      clock.stop();
    }
  },
});

type Play = {
  readonly recordings: string;
  readonly ownJourneys: boolean;
  readonly keep: boolean;
  readonly journeys: JourneyClock;
  readonly clock: Clock;
  readonly at: Surroundings;
  readonly opened: Opened;
};

async function recordingsIn(folder: string) {
  const recordings = await readRecordings(folder).catch((cause: Error) => {
    throw new CommandRefused(`${folder} cannot be read: ${cause.message}`);
  });
  if (recordings.length === 0) throw new CommandRefused(`${folder} holds no recorded answers`);
  return recordings;
}

async function play({
  recordings,
  ownJourneys,
  keep,
  journeys,
  clock,
  at,
  opened,
}: Play): Promise<ExitStatus> {
  const board = createBoard();
  const painter = createPainter(
    `Boathook, live: all of this is real traffic on this machine. Retry waits are cut to ${RETRY_WAITS}.`,
    board,
    at,
    clock,
  );
  opened.push(async () => painter.end());
  painter.say("starting the service, a carrier and a receiver");
  const failures = new Map(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint.failures]));
  const stage = await setStage(
    {
      recordings,
      journeys,
      clock,
      at,
      failuresOf: (endpoint) => failures.get(endpoint) ?? 0,
      onArrival: (arrival) => painter.arrived(board.arrived(arrival)),
    },
    opened,
  );
  const ops = apiAt(stage.opsUrl, (await readFile(join(stage.dataFolder, "operator.token"), "utf8")).trim());
  const story = await register(ops, stage.publicUrl, stage.receiver);
  painter.say(
    `registered ${ENDPOINTS.length} endpoints on five products; rates-unwell fails twice, then recovers`,
  );
  const shipments = await track(story, stage.replay.references);
  board.shipments = shipments;
  painter.say(`tracking ${shipments.map(({ reference }) => reference).join(", ")}`);
  await raise(ops, story);
  painter.say("raised one event on each of the other products, through the operator's API");

  const expected = expectations(shipments, ownJourneys);
  await Promise.race([watch({ story, board, journeys, expected, painter, clock }), stage.service.lost]);
  painter.end();
  const status = summary(board, expected, at);
  if (!keep) return status;
  at.out(byHand(stage, story));
  return new Promise(() => {});
}

function summary(board: Board, expected: readonly Expectation[], at: Surroundings): ExitStatus {
  const rows = board.rows();
  const missing = expected.filter(({ isMet }) => !isMet(board)).map(({ text }) => text);
  const undelivered = rows.filter((row) => !isDelivered(row)).length;
  const retried = rows.filter(({ attempts }) => attempts > 1).length;
  const latencies = rows.map(({ latencyMs }) => latencyMs).toSorted((one, other) => one - other);
  if (at.screen !== null) at.out(tableOf(rows));
  at.out(
    `\n${rows.length} events arrived at ${ENDPOINTS.length} endpoints of five products, every signature checked; ` +
      `${retried} needed a retry. From event to arrival: median ${latencies[Math.floor(latencies.length / 2)] ?? "-"} ms, ` +
      `longest ${latencies.at(-1) ?? "-"} ms.\n`,
  );
  if (missing.length === 0 && undelivered === 0) {
    at.out("Everything that should have arrived has.\n");
    return 0;
  }
  for (const text of missing) at.out(`Did not arrive: ${text}\n`);
  if (undelivered > 0) at.out(`${undelivered} deliveries were not taken, or not signed as they should be.\n`);
  return 1;
}

function byHand(
  { publicUrl, opsUrl, dataFolder, replay, receiver }: Stage,
  { accountId, keys }: Story,
): string {
  const event = {
    product: "rates",
    account_id: accountId,
    type: "index_refreshed",
    data: { subject: "by hand" },
  };
  return `
The service stays until Ctrl-C.
  public API      ${publicUrl}/tracking/docs (and /air, /schedules, /rates, /loading)
  operator's API  ${opsUrl}, token in ${join(dataFolder, "operator.token")}
  carrier         ${replay.url}/events
  receiver        ${receiver.url}

List the endpoints of a product:
  curl -H 'Authorization: Bearer ${keys["tracking"]}' ${publicUrl}/tracking/v1/webhooks

Raise an event:
  curl -H "Authorization: Bearer $(cat ${join(dataFolder, "operator.token")})" -H 'Content-Type: application/json' \\
    -d '${JSON.stringify({ events: [event] })}' ${opsUrl}/v1/events
`;
}
