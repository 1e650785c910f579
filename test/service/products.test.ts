/** Each product at work in one running service: from what its source says to what its clients receive. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { before, describe, test } from "node:test";

import { run as runCommand } from "../cli/run.ts";
import { ask, until, type Settings } from "./boathook.ts";
import { newClient, startReceiver, type Receiver } from "./client.ts";
import { openPlace, ownerOfSuite, run, TOKEN, type Running } from "./running.ts";
import { realClock } from "../support/real-clock.ts";
import { columns } from "../support/columns.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = realClock.nowMs();
const inDays = (days: number) => new Date(NOW_MS + days * DAY_MS).toISOString();

/** So many hours ago by a clock in UTC, as Cargo-IMP writes it: 02NOV1405. The zone is no matter here. */
function ago(hours: number): string {
  const [, day, month, time] = /^\w+, (\d\d) (\w+) \d+ (\d\d:\d\d)/.exec(
    new Date(NOW_MS - hours * HOUR_MS).toUTCString(),
  )!;
  return `${day}${month!.toUpperCase()}${time!.replace(":", "")}`;
}

const PORTS = ["JPYOK", "CNSHA", "SGSIN"];

type Differently = { readonly status?: string; readonly slipDays?: number; readonly cutOffDays?: number };

function call(number: string, port: string, arrives: string, leaves: string, more: object = {}) {
  return {
    transportCallReference: `${number}-${port}`,
    ...{ carrierImportVoyageNumber: number, carrierExportVoyageNumber: number },
    location: { locationType: "UNLO", UNLocationCode: port },
    timestamps: [
      { eventTypeCode: "ARRI", eventClassifierCode: "PLN", eventDateTime: arrives },
      { eventTypeCode: "DEPA", eventClassifierCode: "EST", eventDateTime: leaves },
    ],
    ...more,
  };
}

function vessel(number: string | number, transportCalls: readonly object[]) {
  const named = { vesselIMONumber: `93214${number}`, vesselName: `HERON ${number}` };
  return { ...named, vessel: named, isDummyVessel: false, transportCalls };
}

/** A voyage of a vessel of its own, with a call every three days from that day on. */
function voyage(number: string, day: number, differently: Record<string, Differently> = {}, ports = PORTS) {
  const calls = ports.map((port) => {
    const { status, slipDays = 0, cutOffDays } = differently[port] ?? {};
    const arrival = day + 3 * PORTS.indexOf(port);
    return call(number, port, inDays(arrival), inDays(arrival + 1 + slipDays), {
      ...(status === undefined ? {} : { statusCodes: [status] }),
      ...(cutOffDays === undefined
        ? {}
        : { cutOffTimes: [{ cutOffDateTimeCode: "FCO", cutOffDateTime: inDays(cutOffDays) }] }),
    });
  });
  return vessel(number.slice(1, 3), calls);
}

const schedule = (service: string, vesselSchedules: readonly object[]) => [
  { carrierServiceCode: service, carrierServiceName: "Heron Express", vesselSchedules },
];

const AWB = "176-12345675";
const CONSIGNMENT = `${AWB}DXBFRA/T10K250`;
const BOX = "HRNU4000017";
const CARGO = { id: "pallet", length_mm: 1_200, width_mm: 800, height_mm: 1_000, weight_kg: 400, count: 20 };
const LANE = { origin: "CNSHA", destination: "NLRTM", equipment: "40HC", currency: "USD" };
const SECRET = "the-secret-of-herons";

describe("a running service", () => {
  const owner = ownerOfSuite();
  let settings: Settings;
  let receiver: Receiver;
  let service: Running;
  let said: { readonly airline: string[]; box: object[]; schedules: object[]; fetches: number };
  const arrivedAt = (path: string) => receiver.arrivals.filter((arrival) => arrival.path === path);

  before(async () => {
    said = { airline: [], box: [], schedules: [], fetches: 0 };
    receiver = await startReceiver(owner);
    const place = await openPlace(owner);
    const folder = place.settings["BOATHOOK_DATA_DIR"]!;
    const source = (answer: () => string) => startSource(answer);
    const airline = await source(() => ["FSA/14", CONSIGNMENT, ...said.airline, ""].join("\r\n"));
    const carrier = await source(() => JSON.stringify(said.box));
    const feed = await source(() => {
      said.fetches += 1;
      return JSON.stringify(said.schedules);
    });
    const heron = { carrier: "HRNL", kind: "ovs-service-schedules" };
    const files = {
      carriers: [{ scac: "HRNL", name: "Heron Lines", api: "dcsa-tnt-2.2", baseUrl: `${carrier}/v2` }],
      airlines: [
        {
          ...{ name: "Falcon Cargo", iata: "F8", prefixes: ["176"] },
          sources: [{ kind: "fsr", url: airline }, { kind: "push" }],
        },
      ],
      schedules: [
        { ...heron, name: "polled", url: `${feed}/v3`, services: ["HE1"], every: "200ms" },
        { ...heron, name: "pushed", secret: SECRET },
        { ...heron, name: "of-vessels", kind: "cs-vessel-schedules", secret: SECRET },
      ],
    };
    const named = Object.entries(files).map(([name, content]) => {
      const path = join(folder, `${name}.json`);
      writeFileSync(path, JSON.stringify(content));
      return [`BOATHOOK_${name.toUpperCase()}_FILE`, path];
    });
    settings = {
      ...place.settings,
      ...receiver.settings,
      ...(Object.fromEntries(named) as Settings),
      BOATHOOK_AIR_POLL_INTERVAL: "200ms",
      BOATHOOK_POLL_INTERVAL: "1s",
    };
    service = await run(owner, settings);
  });

  /** A source on loopback, which answers each request so. */
  async function startSource(answer: () => string): Promise<string> {
    const server = createServer((_, response) => {
      const text = answer();
      response.setHeader("content-type", /^[[{]/.test(text) ? "application/json" : "text/plain");
      response.end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    owner.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A client with an endpoint at a path that is named like the product. */
  async function client(product: string, prefix = "tracking") {
    const made = await newClient(service, TOKEN, receiver, prefix);
    await made.register(service, product, product);
    return made;
  }

  const post = (path: string, body: object, token = TOKEN) =>
    ask("POST", `${service.opsUrl}${path}`, token, body);

  test("plans a load, and delivers that the plan was made and changed", async () => {
    const { key } = await client("loading", "loading");
    const plans = `${service.publicUrl}/loading/v1/plans`;
    const made = await ask("POST", plans, key, { name: "first", cargo: [CARGO] });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id, summary } = made.body.data;
    await until(() => arrivedAt("loading").length === 1, "the plan's making arrives");
    const changed = await ask("PUT", `${plans}/${id}`, key, { name: "second", cargo: [CARGO] });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    await until(() => arrivedAt("loading").length === 2, "the plan's change arrives");
    assert.deepEqual(columns(arrivedAt("loading"), "type", "data"), [
      ["plan_created", { plan_id: id, name: "first", revision: 1, ...summary }],
      ["plan_updated", { plan_id: id, name: "second", revision: 2, ...summary }],
    ]);
  });

  test("reads a rate with a key, and delivers its change once, also when the entitlement is gone", async () => {
    const { key, accountId } = await client("rates");
    const load = (base: string) =>
      post("/v1/rates", { rates: [{ ...LANE, valid_from: "2020-01-01", base }] });
    assert.equal((await load("2000")).body.changes, 0);
    assert.equal((await load("2100.10")).body.changes, 1);
    await until(() => arrivedAt("rates").length === 1, "the change arrives");
    const [{ type, data }] = arrivedAt("rates") as [(typeof receiver.arrivals)[0]];
    assert.deepEqual(
      [type, data["old_total"], data["new_total"], data["change_percent"]],
      ["lane_rate_updated", "2000.00", "2100.10", "5.01"],
    );

    const definition = {
      id: "europe",
      name: "Europe",
      currency: "USD",
      base_date: "2021-01-01",
      day: "none",
    };
    const index = { ...definition, lanes: [{ ...LANE, weight: 1 }] };
    assert.equal((await post("/v1/rates/indices", index)).status, 201);
    assert.equal((await post("/v1/rates/indices/europe/values", {})).status, 201);
    await until(() => arrivedAt("rates").length === 2, "the index arrives");
    assert.equal(arrivedAt("rates")[1]!.type, "index_refreshed");

    const rates = () => ask("GET", `${service.publicUrl}/rates/v1/lanes`, key);
    assert.equal((await rates()).body.data[0].rate.total, "2100.10");
    const account = `${service.opsUrl}/v1/accounts/${accountId}`;
    assert.equal((await ask("PATCH", account, TOKEN, { entitlements: [] })).status, 200);
    const file = join(settings["BOATHOOK_DATA_DIR"]!, "rates.csv");
    writeFileSync(
      file,
      "origin;destination;equipment;currency;valid_from;base\nCNSHA;NLRTM;40HC;USD;01.01.2020;1050,05\n",
    );
    const loading = await runCommand(["rates", "load", file], { environment: settings });
    assert.equal(loading.status, 0, loading.err);
    await until(() => arrivedAt("rates").length === 3, "the change that a command made arrives");
    assert.equal(arrivedAt("rates")[2]!.data["change_percent"], "-50.00");
    const refused = await rates();
    assert.deepEqual([refused.status, refused.body.error.code], [403, "entitlement_required"]);
  });

  // spec 1: air_tracking
  // spec 6.4: one_per_change, awb_accepted, awb_in_transit, awb_arrived, awb_available, awb_delivered, data
  test("tracks a waybill from its booking to its delivery, and delivers each change of its status", async () => {
    const { key } = await client("air");
    const track = async () => (await ask("GET", `${service.publicUrl}/air/track/${AWB}`, key)).body.data;
    const arrives = (type: string) => until(() => arrivedAt("air").at(-1)?.type === type, `${type} arrives`);

    said.airline.push(`BKD/F8081/${ago(12).slice(0, 5)}/DXBFRA/T10K250`);
    assert.equal((await track()).status, "Booked");
    said.airline.push(`RCS/${ago(10)}/DXB/T10K250/FALCON`);
    await arrives("awb_accepted");
    said.airline.push(`DEP/F8081/${ago(8).slice(0, 5)}/DXBFRA/T10K250/A${ago(8).slice(5)}`);
    await arrives("awb_in_transit");
    said.airline.push(`RCF/F8081/${ago(2)}/FRA/T10K250`);
    await arrives("awb_arrived");
    const notified = ["FSU/14", CONSIGNMENT, `NFD/${ago(1)}/FRA/T10K250/CONSIGNEE`, ""].join("\r\n");
    assert.equal((await post("/v1/air/messages", { messages: [notified] })).status, 202);
    await arrives("awb_available");
    said.airline.push(`DLV/${ago(0.6)}/FRA/P6K150T10/CONSIGNEE`);
    await until(async () => (await track()).events.at(-1).code === "DLV", "the first part is delivered");
    assert.equal((await track()).status, "Ready for pickup");
    said.airline.push(`DLV/${ago(0.3)}/FRA/P4K100T10/CONSIGNEE`);
    await arrives("awb_delivered");

    const statuses = ["accepted", "in_transit", "arrived", "available", "delivered"];
    assert.deepEqual(
      arrivedAt("air").map(({ type, data }) => [type, data.status]),
      statuses.map((status) => [`awb_${status}`, status]),
    );
    const { event_date_time: at, event_local_datetime: local, ...data } = arrivedAt("air").at(-1)!.data;
    assert.ok(at.endsWith("Z") && local.length === 19);
    assert.deepEqual(
      { ...data, utc_offset_minutes: typeof data.utc_offset_minutes },
      {
        ...{ awb: AWB.replace("-", ""), airline_iata: "F8", status: "delivered", origin: "DXB" },
        ...{ destination: "FRA", utc_offset_minutes: "number", event_timezone: "Europe/Berlin" },
      },
    );
    await until(async () => {
      const { body } = await ask("GET", `${service.opsUrl}/metrics`, "");
      return body.includes('boathook_polls_total{carrier="air:176",outcome="changed"}');
    }, "the metrics name the airline");
  });

  test("notifies of a call that is omitted on a box's way, and finds the sailing no longer", async () => {
    const push = async (status?: string) => {
      const calls = [
        call("099E", "JPYOK", inDays(5), inDays(6), status === undefined ? {} : { statusCodes: [status] }),
        call("099E", "USOAK", inDays(16), inDays(17)),
      ];
      const pushed = await post("/v1/schedules/pushed", schedule("HE2", [vessel(83, calls)]), SECRET);
      assert.equal(pushed.status, 202);
    };
    const sailings = async (more = "") => {
      const query = `origin=JPYOK&destination=USOAK${more}`;
      const { body } = await ask("GET", `${service.publicUrl}/schedules/public/sailings?${query}`, "");
      return body.data.map((one: { cancelled: boolean }) => one.cancelled);
    };
    said.box = [
      {
        ...{ eventType: "EQUIPMENT", equipmentEventTypeCode: "GTIN", equipmentReference: BOX },
        ...{ emptyIndicatorCode: "LADEN", eventClassifierCode: "ACT", eventDateTime: inDays(-1) },
        transportCall: { UNLocationCode: "JPYOK", modeOfTransport: "TRUCK" },
      },
      {
        ...{ eventType: "TRANSPORT", transportEventTypeCode: "DEPA", eventClassifierCode: "EST" },
        eventDateTime: inDays(6),
        transportCall: {
          ...{ UNLocationCode: "JPYOK", modeOfTransport: "VESSEL", exportVoyageNumber: "099E" },
          vessel: { vesselIMONumber: "9321483", vesselName: "HERON 83" },
        },
      },
    ];
    await push();
    assert.deepEqual(await sailings(), [false]);
    const { key } = await client("tracking");
    const containers = `${service.publicUrl}/tracking/v1/containers`;
    const { body } = await ask("POST", containers, key, { reference: BOX });
    await until(async () => {
      const read = await ask("GET", `${containers}/${body.id}`, key);
      return read.body.data.status === "pre_departure";
    }, "the first poll");

    await push("OMIT");
    await until(() => arrivedAt("tracking").length > 0, "the client is notified");
    assert.deepEqual(
      arrivedAt("tracking").map(({ type, data }) => [type, data.kind, data.equipment_reference]),
      [["schedule_disruption", "not_departed", BOX]],
    );
    const [{ data }] = arrivedAt("tracking") as [(typeof receiver.arrivals)[0]];
    assert.match(data.headline, /^HERON 83 099E does not leave Yokohama \(JPYOK\)/);
    assert.deepEqual([await sailings(), await sailings("&include_cancelled=true")], [[], [true]]);
  });

  test("notifies once of each change in polled and pushed schedules", async () => {
    await client("schedules", "schedules");
    /** Resolves when the service has requested this and read it. */
    const answer = async (...vessels: readonly object[]) => {
      said.schedules = schedule("HE1", [...vessels, voyage("017E", 26), voyage("018E", 40)]);
      const earlier = said.fetches;
      await until(() => said.fetches >= earlier + 2, "the feed is asked for what is new");
    };
    const [first, second, third] = [voyage("014E", 5), voyage("015E", 12), voyage("016E", 19)];
    const omitted = voyage("014E", 5, { CNSHA: { status: "OMIT" } });
    const blanked = Object.fromEntries(PORTS.map((port) => [port, { status: "BLNK" }]));
    const slipped = voyage("015E", 12, { CNSHA: { slipDays: 30 / 24 } });
    await answer(first, second, third);
    await answer(omitted, second, third);
    await answer(omitted, voyage("015E", 12, blanked), third);
    await answer(omitted, second, third);
    // One change an answer: the events of one answer are delivered at once, and arrive in any order.
    await answer(omitted, slipped, third);
    await answer(omitted, slipped, voyage("016E", 19, {}, ["JPYOK", "SGSIN"]));
    await answer(omitted, slipped);
    for (const hours of [100, 30]) {
      const cutOff = { JPYOK: { cutOffDays: hours / 24 } };
      const body = schedule("HE1", [voyage("017E", 26, cutOff, ["JPYOK"])]);
      assert.equal((await post("/v1/schedules/of-vessels", body, SECRET)).status, 202);
    }
    const arrived = () => arrivedAt("schedules").filter(({ data }) => data.voyage !== "099E");
    await until(() => arrived().some(({ type }) => type === "cutoff_approaching"), "the last is delivered");
    const { body } = await ask("GET", `${service.publicUrl}/schedules/public/port-calls?port=JPYOK`, "");
    const calls = body.data as readonly { readonly voyage: string; readonly status: string }[];
    const states = calls.flatMap(({ voyage: number, status }) => (number === "016E" ? [status] : []));
    assert.deepEqual(states, ["uncertain"], "gone with an answer an hour later");
    assert.deepEqual(
      arrived().map(({ type, data }) =>
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

  test("signs all that it delivers", () => assert.deepEqual(receiver.wrong, []));
});
