/**
 * A service that polls the carriers of a simulated harbour for an account's containers, at sea and ashore. The
 * carriers are never down, so that the hour of a run decides nothing. One carrier writes names that mean harm wherever it can.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import type { TestContext } from "node:test";

import { carrierEntry, type CarrierEntry } from "../../packages/simulator/src/harbour/carriers-file.ts";
import { createHarbour, type HarbourBox } from "../../packages/simulator/src/harbour/harbour.ts";
import { serveHarbour } from "../../packages/simulator/src/harbour/server.ts";
import { DAY_MS } from "../../src/runtime/durations.ts";
import { realClock } from "../support/real-clock.ts";
import { ask, operatorToken, serve, start, until, type Serving } from "../service/boathook.ts";
import { newClient, startReceiver } from "../service/client.ts";
import { HOSTILE } from "./scene.ts";
import { behaviour } from "./timeline.ts";

/** The first whose world has boxes of each kind at the hour of the run is taken. */
const SEEDS = Array.from({ length: 50 }, (_, nth) => 9 + nth);
const WORLD_BOXES = 2_000;
const AT_SEA = 12;
const MOVED = 6;
const ASHORE = 4;
const OVERDUE = 2;
/**
 * The world is polled as of so many days ago, one after the other: estimates move, boxes go on. As of today twice: a
 * poll that ends first may have asked before.
 */
const DAYS_BEHIND = [5, 0, 0] as const;
const OF_HOSTILE = 2;
/** Nobody has it. */
export const UNKNOWN = "MSCU1234566";

export type OceanScene = {
  readonly service: Serving;
  readonly token: string;
  readonly accountId: string;
  readonly key: string;
  /** Of the carrier that means harm. */
  readonly hostileIds: readonly string[];
  /** A carrier knows it, and nobody tracks it. */
  readonly untracked: string;
  readonly all: () => Promise<readonly Tracked[]>;
};

// oxlint-disable-next-line typescript/no-explicit-any -- what is wrong with it, the assertions say
export type Tracked = any;

/** `folder` is a data folder with a database. */
export async function openOceanScene(t: TestContext, folder: string): Promise<OceanScene> {
  const nowMs = realClock.nowMs();
  let behindMs = DAYS_BEHIND[0] * DAY_MS;
  const clock = { nowMs: () => realClock.nowMs() - behindMs };
  const startMs = clock.nowMs();
  const { harbour, steady, hostile, boxes, offered } = worldAt(startMs, nowMs);
  const served = await serveHarbour({ harbour, clock, startMs, speed: 1 });
  t.after(() => served.close());
  const entries = steady.map((line) => carrierEntry(line, served.url, "answer-date"));
  const proxied = await serveHostile(
    t,
    entries.find(({ scac }) => scac === hostile)!,
  );
  const files = mkdtempSync(join(tmpdir(), "boathook-ocean-"));
  const carriers = join(files, "carriers.json");
  writeFileSync(
    carriers,
    JSON.stringify(entries.map((one) => (one.scac === hostile ? { ...one, baseUrl: proxied } : one))),
    { mode: 0o600 },
  );
  const receiver = await startReceiver(t);
  const settings = {
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_CARRIERS_FILE: carriers,
    BOATHOOK_POLL_INTERVAL: "2s",
    BOATHOOK_POLL_INTERVAL_NEAR: "2s",
    BOATHOOK_RETRY_WAITS: "1s,1s,1s,1s,1s",
    BOATHOOK_DISABLE_AFTER_FAILURES: "1000",
    ...receiver.settings,
  };
  receiver.behave(behaviour);
  await loadTariffs(t, join(files, "tariffs.csv"), entries, settings);
  const service = await serve(t, settings);
  const token = operatorToken(folder);
  const { accountId, key, register } = await newClient(service, token, receiver);
  for (const path of ["well-ocean", "broken-ocean"]) await register(service, "tracking", path);
  const at = `${service.publicUrl}/tracking/v1/containers`;
  const ids = new Map<string, string>();
  for (const { scac, reference } of boxes) {
    const { status, body } = await ask("POST", at, key, { reference, carrier: scac });
    assert.equal(status, 201, JSON.stringify(body));
    ids.set(body.id, scac);
  }
  await ask("POST", at, key, { reference: UNKNOWN });
  const all = async () => (await ask("GET", `${at}?limit=100`, key)).body.data as readonly Tracked[];
  await until(async () => {
    const answered = (await all()).filter((one) => one.status !== "pending" || one.last_failure !== null);
    return answered.length > ids.size;
  }, "carriers answer");
  for (const days of DAYS_BEHIND.slice(1)) {
    behindMs = days * DAY_MS;
    const since = new Date(realClock.nowMs()).toISOString();
    for (const id of ids.keys()) await ask("POST", `${at}/${id}/recheck`, key);
    await until(
      async () => (await all()).filter((one) => one.refreshed_at > since).length >= ids.size,
      "carriers answer again",
    );
  }
  return {
    service,
    token,
    accountId,
    key,
    untracked: offered.at(-1)!.reference,
    hostileIds: [...ids].filter(([, scac]) => scac === hostile).map(([id]) => id),
    all,
  };
}

/** A world, its carriers that are never down, and the boxes to track of the ones that anybody may ask. */
function worldAt(startMs: number, nowMs: number) {
  for (const seed of SEEDS) {
    const harbour = createHarbour({ seed, boxes: WORLD_BOXES, startMs });
    const steady = harbour.lines.filter((line) => line.outagesAMonth + line.throttlesAMonth === 0);
    const hostile = steady.find(({ access }) => access.kind === "open")!.scac;
    const open = new Set(steady.filter(({ access }) => access.kind !== "oauth").map(({ scac }) => scac));
    const all = Array.from({ length: harbour.boxCount }, (_, index) => harbour.boxAt(index));
    const offered = all.filter(({ scac }) => open.has(scac));
    const boxes = chosen(harbour, offered.slice(0, -1), hostile, nowMs);
    if (boxes !== null) return { harbour, steady, hostile, boxes, offered };
  }
  throw new Error("no world has boxes of each kind");
}

/** By the world's truth: at sea, with an estimate that has moved since the first poll, or ashore with free time. Null: too few. */
function chosen(
  harbour: ReturnType<typeof createHarbour>,
  offered: readonly HarbourBox[],
  hostile: string,
  nowMs: number,
): readonly HarbourBox[] | null {
  const wellMeant = offered.filter(({ scac }) => scac !== hostile);
  const daysOf = ({ knownMs }: HarbourBox): number => (nowMs - knownMs) / DAY_MS;
  const atSea = (box: HarbourBox): boolean => daysOf(box) > 14 && daysOf(box) < 30;
  const saysOf = ({ index }: HarbourBox): Facts =>
    harbour
      .lifeAt(index)
      .facts.filter((fact) => fact.trip === 0 && fact.fromMs <= nowMs && fact.untilMs > nowMs);
  const isHostile = (box: HarbourBox): boolean => box.scac === hostile && atSea(box);
  const picked = [
    wellMeant.filter(atSea).slice(0, AT_SEA),
    wellMeant.filter((box) => hasMoved(saysOf(box), nowMs)).slice(0, MOVED),
    wellMeant.filter((box) => hasFreeTime(saysOf(box), nowMs - DAY_MS)).slice(0, OVERDUE),
    wellMeant.filter((box) => hasFreeTime(saysOf(box), Number.POSITIVE_INFINITY)).slice(0, ASHORE),
    offered.filter(isHostile).slice(0, OF_HOSTILE),
  ];
  const wanted = [AT_SEA, MOVED, OVERDUE, ASHORE, OF_HOSTILE];
  return picked.every(({ length }, kind) => length === wanted[kind]) ? [...new Set(picked.flat())] : null;
}

type Facts = ReturnType<ReturnType<typeof createHarbour>["lifeAt"]>["facts"];

/** The step as it happened at the end of the way; undefined: it has not. */
function atEnd(facts: Facts, step: string): Facts[number] | undefined {
  const steps = facts.filter((fact) => fact.step === step);
  const order = Math.max(...steps.map((fact) => fact.order));
  return steps.find((fact) => fact.order === order && fact.classifier === "actual");
}

/** At sea, with an estimate that began between the two polls. */
function hasMoved(facts: Facts, nowMs: number): boolean {
  if (atEnd(facts, "arrival") !== undefined) return false;
  return facts.some(
    ({ step, classifier, fromMs }) =>
      step === "arrival" &&
      classifier !== "actual" &&
      fromMs > nowMs - (DAYS_BEHIND[0] - 1) * DAY_MS &&
      fromMs < nowMs - DAY_MS,
  );
}

/** Landed at its destination and still there. `beforeMs`: when its free time must have ended. */
function hasFreeTime(facts: Facts, beforeMs: number): boolean {
  const [came, landed] = [atEnd(facts, "arrival"), atEnd(facts, "discharge")];
  if (came === undefined || landed === undefined || landed.atMs < came.atMs) return false;
  if ((atEnd(facts, "gate_out")?.atMs ?? 0) > landed.atMs) return false;
  const days = facts.flatMap(({ lastFreeDay: day }) => (day === null ? [] : [Date.parse(day)]));
  // Some lines state a day that has passed when the box lands: it means nothing.
  return days.length > 0 && days.every((day) => day >= landed.atMs && day < beforeMs);
}

async function loadTariffs(
  t: TestContext,
  path: string,
  entries: readonly CarrierEntry[],
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = entries.map(({ scac }) => `${scac},,,3,false,calendar,,1=75.00;6=150.00,2020-01-01,`);
  const head =
    "carrier,port,equipment,free_days,discharge_day_counts,days,holidays,rates,valid_from,valid_to";
  writeFileSync(path, [head, ...rows, ""].join("\n"));
  const loaded = start(t, ["tariffs", "load", path], settings);
  assert.equal(await loaded.ended, 0, loaded.err());
}

const NAMES = new Set([
  ...["locationName", "vesselName", "facilityCode", "exportVoyageNumber", "carrierVoyageNumber"],
  ...["carrierExportVoyageNumber", "facilityCodeListProvider", "UNLocationName", "delayReasonCode"],
]);

/** Stands before a carrier and writes harm behind each name of its answers. */
async function serveHostile(t: TestContext, { baseUrl }: CarrierEntry): Promise<string> {
  const harmed = (name: string, value: unknown): unknown =>
    NAMES.has(name) && typeof value === "string" ? `${value} ${HOSTILE}` : value;
  const server = createServer((request, response) => {
    void fetch(`${baseUrl}${request.url}`)
      .then(async (answer) => {
        const text = await answer.text();
        const body =
          text.startsWith("[") || text.startsWith("{") ? JSON.stringify(JSON.parse(text, harmed)) : text;
        const date = answer.headers.get("date");
        const type = answer.headers.get("content-type") ?? "application/json";
        response
          .writeHead(answer.status, { "content-type": type, ...(date === null ? {} : { date }) })
          .end(body);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
