/** A waybill's life, from an airline on loopback to the deliveries of its events, through a running service. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { realClock } from "../support/real-clock.ts";
import { ask, makeDataFolder, until } from "./boathook.ts";
import { serveClient } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

const AWB = "17612345675";
const HOUR_MS = 3_600_000;
const CONSIGNMENT = "176-12345675DXBFRA/T10K250";

/** So many hours ago by a clock in UTC, as Cargo-IMP writes it: 02NOV1405. The zone is no matter here. */
function ago(hours: number): string {
  const [, day, month, time] = /^\w+, (\d\d) (\w+) \d+ (\d\d:\d\d)/.exec(
    new Date(realClock.nowMs() - hours * HOUR_MS).toUTCString(),
  )!;
  return `${day}${month!.toUpperCase()}${time!.replace(":", "")}`;
}

/** An airline that answers every status request with the lines reported so far. */
async function startAirline(t: TestContext): Promise<{ readonly url: string; readonly reported: string[] }> {
  const reported: string[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.end(["FSA/14", CONSIGNMENT, ...reported, ""].join("\r\n"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reported };
}

// spec 1: air_tracking
// spec 6.4: one_per_change, awb_accepted, awb_in_transit, awb_arrived, awb_available, awb_delivered, data
test("a waybill is tracked from its booking to its delivery, and each change of its status is delivered", async (t) => {
  const airline = await startAirline(t);
  const airlinesFile = join(folder, "airlines.json");
  const entry = { name: "Falcon Cargo", iata: "F8", prefixes: ["176"] };
  const sources = [{ kind: "fsr", url: airline.url }, { kind: "push" }];
  writeFileSync(airlinesFile, JSON.stringify([{ ...entry, sources }]));
  const { receiver, service, token, client } = await serveClient(t, folder, "air", {
    settings: { BOATHOOK_AIRLINES_FILE: airlinesFile, BOATHOOK_AIR_POLL_INTERVAL: "200ms" },
  });
  const track = async () =>
    (await ask("GET", `${service.publicUrl}/air/track/176-12345675`, client.key)).body;

  airline.reported.push(`BKD/F8081/${ago(12).slice(0, 5)}/DXBFRA/T10K250`);
  assert.equal((await track()).data.status, "Booked");

  const arrives = async (type: string): Promise<void> => {
    await until(() => receiver.arrivals.at(-1)?.type === type, `${type} arrives`);
  };
  airline.reported.push(`RCS/${ago(10)}/DXB/T10K250/FALCON`);
  await arrives("awb_accepted");
  airline.reported.push(`DEP/F8081/${ago(8).slice(0, 5)}/DXBFRA/T10K250/A${ago(8).slice(5)}`);
  await arrives("awb_in_transit");
  airline.reported.push(`RCF/F8081/${ago(2)}/FRA/T10K250`);
  await arrives("awb_arrived");
  const notified = ["FSU/14", CONSIGNMENT, `NFD/${ago(1)}/FRA/T10K250/CONSIGNEE`, ""].join("\r\n");
  const pushed = await ask("POST", `${service.opsUrl}/v1/air/messages`, token, { messages: [notified] });
  assert.equal(pushed.status, 202);
  await arrives("awb_available");
  airline.reported.push(`DLV/${ago(0.6)}/FRA/P6K150T10/CONSIGNEE`);
  await until(async () => (await track()).data.events.at(-1).code === "DLV", "the first part is delivered");
  assert.equal((await track()).data.status, "Ready for pickup");
  airline.reported.push(`DLV/${ago(0.3)}/FRA/P4K100T10/CONSIGNEE`);
  await arrives("awb_delivered");

  assert.deepEqual(
    receiver.arrivals.map(({ type, data }) => [type, data.status]),
    [
      ["awb_accepted", "accepted"],
      ["awb_in_transit", "in_transit"],
      ["awb_arrived", "arrived"],
      ["awb_available", "available"],
      ["awb_delivered", "delivered"],
    ],
  );
  const { event_date_time: at, event_local_datetime: local, ...data } = receiver.arrivals.at(-1)!.data;
  assert.ok(at.endsWith("Z") && local.length === 19);
  assert.deepEqual(
    { ...data, utc_offset_minutes: typeof data.utc_offset_minutes },
    {
      awb: AWB,
      airline_iata: "F8",
      status: "delivered",
      origin: "DXB",
      destination: "FRA",
      utc_offset_minutes: "number",
      event_timezone: "Europe/Berlin",
    },
  );
  assert.deepEqual(receiver.wrong, []);
  await until(async () => {
    const { body } = await ask("GET", `${service.opsUrl}/metrics`, "");
    return body.includes('boathook_polls_total{carrier="air:176",outcome="changed"}');
  }, "the metrics name the airline");
});
