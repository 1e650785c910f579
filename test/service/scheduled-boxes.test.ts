/** A box whose carrier promises a sailing that the carrier's schedule then omits: from the push to the delivery. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { realClock } from "../support/real-clock.ts";
import { ask, makeDataFolder, operatorToken, serve, until } from "./boathook.ts";
import { newClient, startReceiver } from "./client.ts";

const DAY_MS = 24 * 3_600_000;
const NOW_MS = realClock.nowMs();
const at = (days: number) => new Date(NOW_MS + days * DAY_MS).toISOString();

/** What the carrier says of the box, however often it is asked. */
const BOX = [
  {
    eventType: "EQUIPMENT",
    equipmentEventTypeCode: "GTIN",
    equipmentReference: "HRNU4000017",
    emptyIndicatorCode: "LADEN",
    eventClassifierCode: "ACT",
    eventDateTime: at(-1),
    transportCall: { UNLocationCode: "JPYOK", modeOfTransport: "TRUCK" },
  },
  {
    eventType: "TRANSPORT",
    transportEventTypeCode: "DEPA",
    eventClassifierCode: "EST",
    eventDateTime: at(6),
    transportCall: {
      UNLocationCode: "JPYOK",
      modeOfTransport: "VESSEL",
      exportVoyageNumber: "014E",
      vessel: { vesselIMONumber: "9321483", vesselName: "HERON DAWN" },
    },
  },
];

/** What is pushed of the vessel. */
function schedule(status?: string) {
  const transportCalls = [
    ["JPYOK", 6],
    ["USOAK", 17],
  ].map(([port, day]) => ({
    carrierImportVoyageNumber: "014E",
    carrierExportVoyageNumber: "014E",
    location: { locationType: "UNLO", UNLocationCode: port },
    ...(status === undefined || port !== "JPYOK" ? {} : { statusCodes: [status] }),
    timestamps: [
      { eventTypeCode: "ARRI", eventClassifierCode: "PLN", eventDateTime: at(Number(day) - 1) },
      { eventTypeCode: "DEPA", eventClassifierCode: "PLN", eventDateTime: at(Number(day)) },
    ],
  }));
  const vessel = { vesselIMONumber: "9321483", vesselName: "HERON DAWN", isDummyVessel: false };
  return [{ carrierServiceCode: "HE1", vesselSchedules: [{ ...vessel, transportCalls }] }];
}

async function startCarrier(t: TestContext): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(BOX));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
}

const folder = makeDataFolder({ withDatabase: true });

test("a client is notified of an omitted call, and the search no longer finds the sailing", async (t) => {
  const receiver = await startReceiver(t);
  const [carriers, schedules] = ["carriers.json", "schedules.json"].map((name) => join(folder, name));
  writeFileSync(
    carriers!,
    JSON.stringify([
      { scac: "HRNL", name: "Heron Lines", api: "dcsa-tnt-2.2", baseUrl: await startCarrier(t) },
    ]),
  );
  const feed = {
    name: "heron",
    carrier: "HRNL",
    kind: "ovs-service-schedules",
    secret: "the-secret-of-herons",
  };
  writeFileSync(schedules!, JSON.stringify([feed]));
  const service = await serve(t, {
    ...receiver.settings,
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_CARRIERS_FILE: carriers!,
    BOATHOOK_SCHEDULES_FILE: schedules!,
  });
  const push = async (status?: string) => {
    const pushed = await ask("POST", `${service.opsUrl}/v1/schedules/heron`, feed.secret, schedule(status));
    assert.equal(pushed.status, 202);
  };
  const sailings = async (more = "") => {
    const query = `origin=JPYOK&destination=USOAK${more}`;
    const { body } = await ask("GET", `${service.publicUrl}/schedules/public/sailings?${query}`, "");
    return body.data.map((one: { cancelled: boolean }) => one.cancelled);
  };
  await push();
  assert.deepEqual(await sailings(), [false]);

  const client = await newClient(service, operatorToken(folder), receiver);
  await client.register(service, "tracking", "tracking");
  const containers = `${service.publicUrl}/tracking/v1/containers`;
  const { body } = await ask("POST", containers, client.key, { reference: "HRNU4000017" });
  await until(async () => {
    const read = await ask("GET", `${containers}/${body.id}`, client.key);
    return read.body.data.status === "pre_departure";
  }, "the first look");

  await push("OMIT");
  await until(() => receiver.arrivals.length > 0, "the client is notified");
  assert.deepEqual(
    receiver.arrivals.map(({ type, data }) => [type, data.kind, data.equipment_reference]),
    [["schedule_disruption", "not_departed", "HRNU4000017"]],
  );
  assert.match(receiver.arrivals[0]!.data.headline, /^HERON DAWN 014E does not leave Yokohama \(JPYOK\)/);
  assert.deepEqual([await sailings(), await sailings("&include_cancelled=true")], [[], [true]]);
  assert.deepEqual(receiver.wrong, []);
});
