/**
 * A service with freight to read: waybills of the simulated airlines, weeks of the simulated liner trade, and a file of
 * rates with an index, each ingested as an operator's would be. Where weeks must pass, the clock is moved.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { AIRLINES } from "../../packages/simulator/src/airport/airlines.ts";
import { airlineEntry } from "../../packages/simulator/src/airport/airlines-file.ts";
import { createAirport, type Airport } from "../../packages/simulator/src/airport/airport.ts";
import { pushedMessages } from "../../packages/simulator/src/airport/life.ts";
import { messageOf } from "../../packages/simulator/src/airport/message.ts";
import { serveAirport } from "../../packages/simulator/src/airport/server.ts";
import { feedEntry } from "../../packages/simulator/src/liners/schedules-file.ts";
import { serveTrade } from "../../packages/simulator/src/liners/server.ts";
import { createTrade, type LinerTrade } from "../../packages/simulator/src/liners/trade.ts";
import { ingest } from "../../src/products/schedules/calls/ingest.ts";
import { computeServiceDays } from "../../src/products/schedules/reliability/service-days.ts";
import { createFeedClient } from "../../src/products/schedules/sources/feed-client.ts";
import { settingsFor } from "../cli/run.ts";
import { openScene, SETTINGS, type Scene } from "../schedules/scene.ts";
import { httpTo } from "../schedules/trade.ts";
import { ask, operatorToken, serve, until, type Serving } from "../service/boathook.ts";
import { newClient, startReceiver } from "../service/client.ts";
import { manualClock } from "../support/clock.ts";
import { realClock } from "../support/real-clock.ts";
import { dayOf, loadRates } from "./rates-scene.ts";
import { HOSTILE } from "./scene.ts";
import { behaviour } from "./timeline.ts";

const DAY_MS = 86_400_000;

export type FreightScene = {
  readonly service: Serving;
  readonly token: string;
  /** Tracks, has every entitlement, and two endpoints of air, schedules and rates. */
  readonly accountId: string;
  /** Its keys, by product. */
  readonly keys: Readonly<Record<"air" | "schedules" | "rates", string>>;
  /** Of the call from which a sailing slipped. */
  readonly slippedId: string;
  /** Tracks nothing, and has none. */
  readonly emptyId: string;
  /** Eleven digits: one that flies in parts, and one of which an event was raised. */
  readonly split: string;
  readonly raised: string;
  /** Of an airline whose every word means harm. */
  readonly hostile: string;
  close(): Promise<void>;
};

/** `folder`: an empty one for what the service keeps beside its database. */
export async function openFreightScene(t: TestContext, folder: string): Promise<FreightScene> {
  const nowMs = realClock.nowMs();
  const trade = createTrade({ seed: 3, startMs: nowMs - 60 * DAY_MS });
  const schedules = await openScene();
  await sailFor(schedules, trade, nowMs);
  const servedTrade = await serveTrade({ trade, nowMs: realClock.nowMs, speed: 1 });
  const airport = createAirport({ seed: 3, waybills: 300, startMs: nowMs - 6 * DAY_MS });
  // The airlines' clock, which the test puts forward.
  let aheadMs = -2 * DAY_MS;
  const airportMs = () => realClock.nowMs() + aheadMs;
  const servedAirport = await serveAirport({ airport, nowMs: airportMs, speed: 1 });
  const write = (name: string, entries: readonly object[]): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(entries));
    return path;
  };
  const receiver = await startReceiver(t);
  receiver.behave(behaviour);
  const service = await serve(t, {
    ...settingsFor(schedules.on),
    ...receiver.settings,
    BOATHOOK_RETRY_WAITS: "1s,1s,1s,1s,1s",
    BOATHOOK_DISABLE_AFTER_FAILURES: "100000",
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
    BOATHOOK_AIRLINES_FILE: write("airlines.json", [
      ...airport.airlines.map((airline) => airlineEntry(airline, servedAirport.url, "answer-date")),
      { name: HOSTILE, iata: "XX", prefixes: ["176"], sources: [{ kind: "push" }] },
    ]),
    BOATHOOK_SCHEDULES_FILE: write("schedules.json", [
      ...feedsOf(trade, servedTrade.url),
      { name: "hostile", carrier: "HSTL", kind: "ovs-service-schedules" },
    ]),
  });
  const token = operatorToken(folder);
  const operator = operatorOf(service, token);
  const { accountId, key, register } = await newClient(service, token, receiver);
  const { id: emptyId } = await operator("/v1/accounts", { name: "Nobody yet" });
  const { key: ofSchedules } = await operator(`/v1/accounts/${accountId}/keys`, { prefix: "schedules" });
  for (const path of ["well", "broken"])
    for (const product of ["air", "rates"]) await register(service, product, `${path}-${product}`);
  for (const path of ["well-schedules", "broken-schedules"]) {
    const url = `${receiver.url}/${path}`;
    const { body } = await ask("POST", `${service.publicUrl}/schedules/v1/webhooks`, ofSchedules, { url });
    receiver.trust(path, body.data.secret);
  }
  await loadRates(operator, nowMs);
  await operator("/v1/rates", { rates: [{ ...RAISED_LANE, valid_from: dayOf(nowMs), base: "3210.50" }] });
  const slippedId = await slip(operator, service, accountId);
  await sayHarm(operator, nowMs);
  const track = (awb: string) => ask("GET", `${service.publicUrl}/air/track/${awb}`, key);
  await fly({ airport, airportMs, operator, track, advance: () => void (aheadMs = 0) });
  await track(HOSTILE_AWB);
  const read = async (path: string) =>
    (await ask("GET", `${service.opsUrl}/v1/accounts/${accountId}/air/v1/waybills${path}`, token)).body.data;
  const listed: readonly { readonly awb: string; readonly is_split: boolean }[] = await read("?limit=100");
  // A message makes its waybill due at once; the others are polled as seldom as by default.
  const pushing = listed.filter(({ awb }) => PUSHING.includes(awb.slice(0, 3)));
  let raisedOf: string | undefined;
  await until(async () => {
    for (const { awb } of pushing) if ((await read(`/${awb}`)).raised.length > 0) raisedOf ??= awb;
    return raisedOf !== undefined;
  }, "an event is raised");
  return {
    service,
    token,
    accountId,
    keys: { air: key, schedules: ofSchedules, rates: key },
    slippedId,
    emptyId,
    hostile: HOSTILE_AWB,
    split: listed.find((one) => one.is_split)!.awb,
    raised: raisedOf!,
    async close() {
      service.signal("SIGKILL");
      await service.ended;
      await Promise.all([servedTrade.close(), servedAirport.close()]);
      await schedules.on.drop();
    },
  };
}

type Operator = (path: string, body: object) => Promise<{ readonly id: string; readonly key: string }>;

function operatorOf({ opsUrl }: Serving, token: string): Operator {
  return async (path, body) => {
    const answer = await ask("POST", `${opsUrl}${path}`, token, body);
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
}

/** A rate of which is loaded last. */
const RAISED_LANE = {
  origin: "CNYTN",
  destination: "USLAX",
  equipment: "20GP",
  carrier: "HRNL",
  currency: "USD",
};

/** Raises that the next sailing slips; gives the id of its call. */
async function slip(operator: Operator, { publicUrl }: Serving, accountId: string): Promise<string> {
  const sailings = `${publicUrl}/schedules/public/sailings?origin=SGSIN&destination=NLRTM`;
  const [{ carrier, service, voyage, vessel_name, vessel_imo, departure }] = (await ask("GET", sailings, ""))
    .body.data;
  const data = {
    ...{
      carrier,
      service,
      voyage,
      vessel_name,
      vessel_imo,
      port: departure.port,
      port_name: departure.port_name,
    },
    ...{ old_departure: departure.planned, new_departure: departure.planned, delta_hours: 44 },
  };
  const event = { product: "schedules", account_id: accountId, type: "sailing_slipped", data };
  await operator("/v1/events", { events: [event] });
  return departure.id;
}

const HOSTILE_AWB = "17612345675";
/** In capitals and without slants, as Cargo-IMP has its fields. */
export const HOSTILE_IMP = HOSTILE.toUpperCase().replaceAll("/", "");

/** A feed and an airline whose words mean harm. */
async function sayHarm(operator: Operator, nowMs: number): Promise<void> {
  const today = new Date(nowMs).toUTCString().slice(5, 11).replace(" ", "").toUpperCase();
  const lines = [
    "FSU/14",
    `176-12345675DXBFRA/T10K250`,
    `RCS/${today}0100/DXB/T10K250/${HOSTILE_IMP}`,
    `OSI/${HOSTILE_IMP}`,
    `ULD/${HOSTILE_IMP}`,
  ];
  await operator("/v1/air/messages", { messages: [`${lines.join("\r\n")}\r\n`] });
  const at = (days: number) => new Date(nowMs + days * DAY_MS).toISOString();
  const call = (port: string, day: number) => ({
    transportCallReference: HOSTILE,
    carrierImportVoyageNumber: HOSTILE.slice(0, 40),
    carrierExportVoyageNumber: HOSTILE.slice(0, 40),
    location: { locationType: "UNLO", UNLocationCode: port, locationName: HOSTILE },
    portCallSequence: 1,
    remark: HOSTILE,
    delayReasonCode: "WEA",
    timestamps: [
      { eventTypeCode: "ARRI", eventClassifierCode: "PLN", eventDateTime: at(day) },
      { eventTypeCode: "DEPA", eventClassifierCode: "EST", eventDateTime: at(day + 1), remark: HOSTILE },
    ],
    cutOffTimes: [{ cutOffDateTimeCode: "FCO", cutOffDateTime: at(day - 1) }],
  });
  const vessel = { vesselIMONumber: "9321483", vesselName: HOSTILE };
  const schedule = {
    ...vessel,
    vessel,
    isDummyVessel: false,
    transportCalls: [call("JPYOK", 4), call("NZAKL", 14)],
  };
  await operator("/v1/schedules/hostile", [
    { carrierServiceCode: HOSTILE.slice(0, 11), carrierServiceName: HOSTILE, vesselSchedules: [schedule] },
  ] as object);
}

const CARRIERS: readonly string[] = ["KITE", "LOON", "PLVR"];

function feedsOf({ carriers }: LinerTrade, url: string) {
  return carriers
    .filter(({ scac }) => CARRIERS.includes(scac))
    .flatMap((carrier) => carrier.feeds.slice(0, 2).map((feed) => feedEntry(carrier, feed, url, "6h")));
}

const WEEKS_BEFORE = 7;
const FETCH_MS = 3.5 * DAY_MS;

/** What the feeds have said until now, so that arrivals are measured by what was expected weeks before. */
async function sailFor({ ports }: Scene, trade: LinerTrade, nowMs: number): Promise<void> {
  const clock = manualClock(nowMs - WEEKS_BEFORE * 7 * DAY_MS);
  const http = httpTo(trade, clock.nowMs);
  const feeds = feedsOf(trade, "http://trade");
  while (clock.nowMs() <= nowMs) {
    const client = createFeedClient({ feeds, http, clock, random: { fraction: () => 0.5 } });
    for (const feed of feeds) {
      const answer = await client.fetchFeed(feed, clock.nowMs());
      for (const update of answer.kind === "answered" ? answer.updates : [])
        await ingest(ports, SETTINGS, update);
    }
    await computeServiceDays(ports, SETTINGS, clock.nowMs());
    await clock.advance(FETCH_MS);
  }
}

type Flight = {
  readonly airport: Airport;
  readonly airportMs: () => number;
  readonly operator: Operator;
  readonly track: (awb: string) => Promise<{ readonly status: number }>;
  readonly advance: () => void;
};

const TRACKED = 30;
const PUSHING = AIRLINES.filter(({ protocol }) => protocol === "fsu").map(({ prefix }) => prefix);

/** Tracks waybills that are booked, lets the airlines' time go on, and pushes what those say that push. */
async function fly({ airport, airportMs, operator, track, advance }: Flight): Promise<void> {
  const all = Array.from({ length: airport.waybillCount }, (_, index) => airport.waybillAt(index));
  const booked = all.filter(({ bookedMs }) => bookedMs < airportMs() - DAY_MS / 2);
  const push = async (): Promise<void> => {
    const messages = all
      .filter(({ airline }) => airline.protocol === "fsu")
      .flatMap((waybill) =>
        pushedMessages(airport.lifeOf(waybill))
          .filter(([first]) => first!.reportedMs <= airportMs())
          .map((message) => messageOf("FSU", waybill, message, message[0]!.reportedMs)),
      );
    for (let start = 0; start < messages.length; start += 200)
      await operator("/v1/air/messages", {
        messages: messages.slice(start, start + 200),
        received_at: new Date(airportMs()).toISOString(),
      });
  };
  await push();
  await Promise.all(booked.slice(0, TRACKED).map(({ awb }) => track(awb)));
  advance();
  await push();
}
