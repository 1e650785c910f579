/** Sailing schedules of the service as its users run it: a polled feed, a pushed feed, and what clients receive. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { realClock } from "../support/real-clock.ts";
import { ask, makeDataFolder, operatorToken, serve, until } from "./boathook.ts";
import { newClient, startReceiver } from "./client.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = realClock.nowMs();
const PORTS = ["JPYOK", "CNSHA", "SGSIN"];

type Differently = {
  readonly status?: string;
  readonly slipMs?: number;
  readonly cutOffMs?: number;
};

const at = (ms: number) => new Date(ms).toISOString();

/** A voyage of a vessel of its own, with a call every three days from that day on. */
function voyage(number: string, day: number, ports = PORTS, differently: Record<string, Differently> = {}) {
  const transportCalls = ports.map((port) => {
    const { status, slipMs = 0, cutOffMs } = differently[port] ?? {};
    const arrivalMs = NOW_MS + (day + 3 * PORTS.indexOf(port)) * DAY_MS;
    return {
      transportCallReference: `${number}-${port}`,
      carrierImportVoyageNumber: number,
      carrierExportVoyageNumber: number,
      location: { locationType: "UNLO", UNLocationCode: port },
      ...(status === undefined ? {} : { statusCodes: [status] }),
      timestamps: [
        { eventTypeCode: "ARRI", eventClassifierCode: "PLN", eventDateTime: at(arrivalMs) },
        { eventTypeCode: "DEPA", eventClassifierCode: "EST", eventDateTime: at(arrivalMs + DAY_MS + slipMs) },
      ],
      ...(cutOffMs === undefined
        ? {}
        : { cutOffTimes: [{ cutOffDateTimeCode: "FCO", cutOffDateTime: at(cutOffMs) }] }),
    };
  });
  const vessel = { vesselIMONumber: `93214${number.slice(1, 3)}`, vesselName: `HERON ${number}` };
  return { ...vessel, vessel, isDummyVessel: false, transportCalls };
}

const service = (...vesselSchedules: readonly object[]) => [
  { carrierServiceCode: "HE1", carrierServiceName: "Heron Express", vesselSchedules },
];

/** A carrier's API that answers with what it was last given. */
async function startFeed(t: TestContext) {
  let [body, asked] = ["[]", 0];
  const server = createServer((_, response) => {
    asked += 1;
    response.setHeader("content-type", "application/json");
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/service-schedules`,
    /** Resolves when the service has requested this and read it. */
    async answer(next: readonly object[]) {
      body = JSON.stringify(next);
      const before = asked;
      await until(() => asked >= before + 2, "the feed is asked for what is new");
    },
  };
}

const LATER = [voyage("017E", 26), voyage("018E", 40)];

test("clients are notified once of each change in polled and pushed feeds", async (t) => {
  const folder = makeDataFolder({ withDatabase: true });
  const receiver = await startReceiver(t);
  const feed = await startFeed(t);
  const file = join(folder, "schedules.json");
  const own = { carrier: "HRNL", kind: "ovs-service-schedules" };
  const polled = { ...own, name: "heron-ovs", url: feed.url, services: ["HE1"], every: "500ms" };
  const pushed = { ...own, name: "heron-cs", kind: "cs-vessel-schedules", secret: "the-secret-of-herons" };
  writeFileSync(file, JSON.stringify([polled, pushed]));
  const settings = { BOATHOOK_DATA_DIR: folder, BOATHOOK_SCHEDULES_FILE: file, ...receiver.settings };

  const first = await serve(t, settings);
  const client = await newClient(first, operatorToken(folder), receiver, "schedules");
  await client.register(first, "schedules", "schedules");
  await feed.answer(service(voyage("014E", 5), voyage("015E", 12), voyage("016E", 19), ...LATER));
  const omitted = voyage("014E", 5, PORTS, { CNSHA: { status: "OMIT" } });
  await feed.answer(service(omitted, voyage("015E", 12), voyage("016E", 19), ...LATER));
  const blanked = Object.fromEntries(PORTS.map((port) => [port, { status: "BLNK" }]));
  await feed.answer(service(omitted, voyage("015E", 12, PORTS, blanked), voyage("016E", 19), ...LATER));
  await feed.answer(service(omitted, voyage("015E", 12), voyage("016E", 19), ...LATER));
  await first.stop();

  const second = await serve(t, settings);
  const slipped = voyage("015E", 12, PORTS, { CNSHA: { slipMs: 30 * HOUR_MS } });
  // One change an answer: the events of one answer are delivered at once, and arrive in any order.
  await feed.answer(service(omitted, slipped, voyage("016E", 19), ...LATER));
  await feed.answer(service(omitted, slipped, voyage("016E", 19, ["JPYOK", "SGSIN"]), ...LATER));
  await feed.answer(service(omitted, slipped, ...LATER));
  const push = async (cutOffMs: number) => {
    const body = service(voyage("017E", 26, ["JPYOK"], { JPYOK: { cutOffMs } }));
    const { status } = await ask("POST", `${second.opsUrl}/v1/schedules/heron-cs`, pushed.secret, body);
    assert.equal(status, 202);
  };
  await push(NOW_MS + 100 * HOUR_MS);
  await push(NOW_MS + 30 * HOUR_MS);
  await until(
    () => receiver.arrivals.some(({ type }) => type === "cutoff_approaching"),
    "the last is delivered",
  );
  const shown = await fetch(`${second.publicUrl}/schedules/public/port-calls?port=JPYOK`);
  const { data: calls } = (await shown.json()) as { data: readonly { voyage: string; status: string }[] };
  const states = calls.flatMap(({ voyage: number, status }) => (number === "016E" ? [status] : []));
  assert.deepEqual(states, ["uncertain"], "gone with an answer an hour later");
  await second.stop();

  assert.deepEqual(receiver.wrong, []);
  assert.deepEqual(
    receiver.arrivals.map(({ type, data }) =>
      [type, data.kind ?? data.delta_hours ?? data.hours_before, data.voyage, data.port].join(" ").trim(),
    ),
    [
      "blank_sailing port_call 014E CNSHA",
      "blank_sailing voyage 015E",
      "sailing_slipped 30 015E CNSHA",
      "cutoff_approaching 48 017E JPYOK",
    ],
  );
});
