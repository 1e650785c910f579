/** Two products of one running service: what a feed of schedules says reaches the client of a box. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { served } from "../upstream/serving.ts";
import { ask, until } from "./boathook.ts";
import { newClient, startReceiver } from "./client.ts";
import { openPlace, run, TOKEN } from "./running.ts";
import { realClock } from "../support/real-clock.ts";

const inDays = (days: number) => new Date(realClock.nowMs() + days * 86_400_000).toISOString();

const VESSEL = { vesselIMONumber: "9321483", vesselName: "HERON 83" };
const BOX = "HRNU4000017";
const SECRET = "the-secret-of-herons";

/** A call of the voyage, which leaves a day after it came. */
function call(port: string, day: number, statusCodes: readonly string[] = []) {
  return {
    ...{ carrierImportVoyageNumber: "099E", carrierExportVoyageNumber: "099E", statusCodes },
    location: { locationType: "UNLO", UNLocationCode: port },
    timestamps: [
      { eventTypeCode: "ARRI", eventClassifierCode: "PLN", eventDateTime: inDays(day) },
      { eventTypeCode: "DEPA", eventClassifierCode: "EST", eventDateTime: inDays(day + 1) },
    ],
  };
}

/** In at the gate of Yokohama, to leave it on the voyage. */
const EVENTS = [
  {
    ...{ eventType: "EQUIPMENT", equipmentEventTypeCode: "GTIN", equipmentReference: BOX },
    ...{ emptyIndicatorCode: "LADEN", eventClassifierCode: "ACT", eventDateTime: inDays(-1) },
    transportCall: { UNLocationCode: "JPYOK", modeOfTransport: "TRUCK" },
  },
  {
    ...{ eventType: "TRANSPORT", transportEventTypeCode: "DEPA", eventClassifierCode: "EST" },
    eventDateTime: inDays(6),
    transportCall: {
      ...{ UNLocationCode: "JPYOK", modeOfTransport: "VESSEL", exportVoyageNumber: "099E", vessel: VESSEL },
    },
  },
];

test("a call that is omitted on a box's way notifies the box's client, and is no sailing any longer", async (t) => {
  const receiver = await startReceiver(t);
  const { settings } = await openPlace(t);
  const { url } = await served(t, (_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(EVENTS));
  });
  const named = Object.entries({
    carriers: [{ scac: "HRNL", name: "Heron Lines", api: "dcsa-tnt-2.2", baseUrl: `${url}/v2` }],
    schedules: [{ name: "pushed", carrier: "HRNL", kind: "ovs-service-schedules", secret: SECRET }],
  }).map(([name, content]) => {
    const path = join(settings["BOATHOOK_DATA_DIR"]!, `${name}.json`);
    writeFileSync(path, JSON.stringify(content));
    return [`BOATHOOK_${name.toUpperCase()}_FILE`, path] as const;
  });
  const files = Object.fromEntries(named);
  const service = await run(t, { ...settings, ...receiver.settings, ...files });
  const push = async (status: readonly string[]) => {
    const transportCalls = [call("JPYOK", 5, status), call("USOAK", 16)];
    const vesselSchedules = [{ ...VESSEL, vessel: VESSEL, isDummyVessel: false, transportCalls }];
    const body = [{ carrierServiceCode: "HE2", carrierServiceName: "Heron Express", vesselSchedules }];
    const pushed = await ask("POST", `${service.opsUrl}/v1/schedules/pushed`, SECRET, body);
    assert.equal(pushed.status, 202);
  };
  const sailings = async (more = "") => {
    const query = `origin=JPYOK&destination=USOAK${more}`;
    const { body } = await ask("GET", `${service.publicUrl}/schedules/public/sailings?${query}`, "");
    return body.data.map((one: { cancelled: boolean }) => one.cancelled);
  };
  await push([]);
  assert.deepEqual(await sailings(), [false]);
  const client = await newClient(service, TOKEN, receiver);
  await client.register(service, "tracking", "tracking");
  const containers = `${service.publicUrl}/tracking/v1/containers`;
  const { body } = await ask("POST", containers, client.key, { reference: BOX });
  await until(async () => {
    const read = await ask("GET", `${containers}/${body.id}`, client.key);
    return read.body.data.status === "pre_departure";
  }, "the first poll");
  await push(["OMIT"]);
  await until(() => receiver.arrivals.length > 0, "the client is notified");
  const [{ type, data }, ...more] = receiver.arrivals as [(typeof receiver.arrivals)[0]];
  assert.deepEqual(
    [type, data.kind, data.equipment_reference, more],
    ["schedule_disruption", "not_departed", BOX, []],
  );
  assert.match(data.headline, /^HERON 83 099E does not leave Yokohama \(JPYOK\)/);
  assert.deepEqual([await sailings(), await sailings("&include_cancelled=true")], [[], [true]]);
});
