/** The public searches on many calls, in a usual trade and in a dense one: each reads little more than it shows. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";

import fc from "fast-check";

import {
  listCallsBetween,
  listCallsOfEnds,
  listDepartures,
} from "../../src/products/schedules/store/connections.ts";
import { readAwaitedCalls } from "../../src/products/schedules/store/awaited-calls.ts";
import {
  listPortCalls,
  listSailings,
  listCallsOfVessel,
  type CallListKey,
} from "../../src/products/schedules/store/schedules-read.ts";
import { searchConnections } from "../../src/products/schedules/search/search-connections.ts";
import type { Connection } from "../../src/store/database.ts";
import { START_MS, manualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { realClock } from "../support/real-clock.ts";
import { DAY_MS } from "./statements.ts";
import { createSearchTurns } from "../../src/products/schedules/search/search-turns.ts";
import { pageOf, readPage } from "../../src/http/key-page.ts";
import { anyText } from "../support/texts.ts";
import { forAll } from "../support/runs.ts";

const COLUMNS = `id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, arrival_at, departure_at, calls_at,
  record, updated_at`;

/** 1,000 vessels with 100 calls three days apart; each sails loops of 20 of the 40 ports, each loop a voyage. */
const USUAL = `
  insert into cell.port_calls (${COLUMNS})
  select
    gen_random_uuid(), 'C' || chr(65 + vessel % 4), 'S' || vessel % 100, vessel || 'V' || call / 20, '',
    'XX' || chr(65 + port / 10) || chr(65 + port % 10) || 'A', 1, (9000000 + vessel)::text,
    came, came + interval '1 day', came + interval '1 day', '{}', came
  from generate_series(0, 999) as vessel, generate_series(0, 99) as call,
    lateral (
      select (call % 20 + vessel % 20) % 40 as port,
        $1::timestamptz + make_interval(days => call * 3 - 150 - vessel % 61, mins => vessel) as came
    ) as made`;

/** Each of 100 vessels calls every day at one of 60 ports, all of one service; every fourth is without a number. */
const DENSE = `
  insert into cell.port_calls (${COLUMNS})
  select
    gen_random_uuid(), 'CA', 'S', vessel || 'V' || call / 19,
    case when vessel % 4 = 0 then vessel || 'V' || (call - 9) / 19 else '' end,
    'XX' || chr(65 + port / 10) || chr(65 + port % 10) || 'A', call + 1,
    case when vessel % 4 > 0 then (9000000 + vessel)::text end,
    came, came + interval '12 hours', came + interval '12 hours', '{}', came
  from generate_series(0, 99) as vessel, generate_series(0, 189) as call,
    lateral (
      select (vessel * 7 + call) % 60 as port, $1::timestamptz + make_interval(days => call, mins => vessel) as came
    ) as made`;

const until = (days: number) => ({ fromMs: START_MS, beforeMs: START_MS + days * DAY_MS });
const within = until(28);
const any = { carrier: null, vessel: null, withCancelled: false };

describe("searches of many calls", () => {
  let on: TestDatabase;
  before(async () => {
    on = await createTestDatabase({ cells: 1 });
    await on.queryIn(cell(), USUAL, [new Date(START_MS)]);
    await on.queryIn(cell(), "analyze cell.port_calls");
  });
  after(() => on.drop());
  const cell = () => on.productCells.of("schedules");

  /** The plan of the statement that the store's function runs. */
  async function explained(read: (connection: Connection) => Promise<unknown>): Promise<Plan> {
    let plan: Plan | null = null;
    await read({
      async rows({ text }: { readonly text: string }, parameters: readonly unknown[]) {
        const explain = `explain (analyze, timing off, buffers, format json) ${text}`;
        plan = (await query(on.address, explain, [...parameters])).rows[0]["QUERY PLAN"][0].Plan as Plan;
        return [];
      },
    });
    assert.ok(plan !== null);
    return plan;
  }

  const ofBoxes = Array.from({ length: 100 }, (_, nth) => ({
    ...{
      carrier: `C${"ABCD"[nth % 4]!}`,
      port: "XXAFA",
      imo: String(9_000_000 + nth),
      name: "NOBODY",
      voyage: "0",
    },
    ...{ fromMs: START_MS - 30 * DAY_MS, toMs: START_MS + 90 * DAY_MS },
  }));
  const sailings = (connection: Connection, destination: string) =>
    listSailings(connection, cell(), { ...within, ...any, origin: "XXAFA", destination }, null, null, 51);

  for (const [what, rows, pagesMax, read] of [
    ["sailings from port to port", 51, 15_000, (connection) => sailings(connection, "XXBFA")],
    ["sailings between ports that no vessel joins", 0, 5_000, (connection) => sailings(connection, "XXZZZ")],
    [
      "the calls at a port",
      51,
      500,
      (connection) =>
        listPortCalls(connection, cell(), { ...within, ...any, port: "XXAFA", kind: "arrival" }, null, 51),
    ],
    [
      "the calls of a vessel",
      98,
      300,
      (connection) => listCallsOfVessel(connection, cell(), "9000007", START_MS, 50),
    ],
    [
      "the calls that boxes are to sail from",
      60,
      25_000,
      (connection) => readAwaitedCalls(connection, on.productCells.of("schedules"), ofBoxes),
    ],
  ] as readonly (readonly [string, number, number, (connection: Connection) => Promise<unknown>])[]) {
    test(`${what} are found without reading all calls`, async () => {
      const plan = await explained(read);
      const scanned = nodesOf(plan).filter(
        (node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === "port_calls",
      );
      assert.deepEqual([scanned, plan["Actual Rows"]], [[], rows]);
      const pages = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
      assert.ok(pages <= pagesMax, `${pages} pages were read`);
    });
  }

  /** Calls a minute apart of vessels that call nowhere else. */
  const fill = (port: string, calls: number) =>
    on.queryIn(
      cell(),
      `insert into cell.port_calls (${COLUMNS})
       select gen_random_uuid(), 'CA', 'S', port.name || nth, '', port.name, 1, null, at, at + interval '1 hour',
         at + interval '1 hour', '{}', at
       from (select $1::text as name) as port, generate_series(1, $2::integer) as nth,
         lateral (select $3::timestamptz + make_interval(mins => nth) as at) as made`,
      [port, calls, new Date(START_MS)],
    );
  const connections = (
    origin: string,
    destination: string,
    more: { transshipmentsMax?: number; behind?: CallListKey | null } = {},
  ) => {
    const { transshipmentsMax = 1, behind = null } = more;
    const rules = { destination, transshipmentsMax, waitMsMin: DAY_MS, waitMsMax: 21 * DAY_MS };
    const search = { filter: { ...within, origin, carrier: null }, rules, carriers: "one" as const };
    return searchConnections(on.database, cell(), { ...search, behind, limit: 50 }, realClock);
  };

  test("a page that finds no connection among its departures says where the next one goes on", async () => {
    await fill("XXYYA", 700);
    const pages: number[] = [];
    for (let behind: CallListKey | null = null; ;) {
      const found = await connections("XXYYA", "XXDFA", { behind });
      assert.ok(found !== "too_many");
      pages.push(found.connections.length);
      if (found.next === null) break;
      assert.ok(behind === null || found.next.ms > behind.ms);
      behind = found.next;
    }
    assert.deepEqual(pages, [0, 0, 0]);
  });

  test("more calls than a page may read are refused, not left out", async () => {
    await fill("XXYZA", 20_000);
    assert.equal(await connections("XXAAA", "XXYZA"), "too_many");
  });

  test("connections are searched among some thousand of the calls", async () => {
    for (const transshipmentsMax of [1, 2]) {
      const found = await connections("XXAAA", "XXDFA", { transshipmentsMax });
      assert.ok(found !== "too_many" && found.connections.length >= 20);
    }
  });

  for (const isAnalyzed of [false, true]) {
    test(`in a dense trade no statement compares all calls with all voyages, statistics: ${isAnalyzed}`, async () => {
      if (!isAnalyzed) {
        await on.queryIn(cell(), "truncate cell.port_calls");
        await on.queryIn(cell(), DENSE, [new Date(START_MS)]);
      } else await on.queryIn(cell(), "analyze cell.port_calls");
      const leaving = { ...until(60), origin: "XXAAA", carrier: null };
      const departures = await listDepartures(on.database, cell(), leaving, null, 301);
      const further = departures.map((call) => ({ ...call, voyages: [call.voyage, call.importVoyage] }));
      const letters = "ABCDEFGHIJ".split("");
      const ports = letters.slice(0, 6).flatMap((one) => letters.map((other) => `XX${one}${other}A`));
      const whole = until(180);
      const toSail = { ...leaving, vessel: null, withCancelled: false, destination: "XXFJA" };
      const reads: readonly (readonly [string, (connection: Connection) => Promise<unknown>])[] = [
        ["departures", (connection) => listDepartures(connection, cell(), leaving, null, 301)],
        ...[["CA"], null].flatMap((carriers) => {
          const ends = { port: "XXFJA", carriers, further };
          const between = { ...whole, carriers, ports, stayMsMax: 21 * DAY_MS };
          return [
            ["ends", (connection: Connection) => listCallsOfEnds(connection, cell(), ends, whole, 20_000)],
            ["between", (connection: Connection) => listCallsBetween(connection, cell(), between, 20_000)],
          ] as const;
        }),
        ["sailings", (connection) => listSailings(connection, cell(), toSail, null, null, 51)],
      ];
      for (const [what, read] of reads) {
        const plan = await explained(read);
        const rows = nodesOf(plan).reduce((sum, node) => sum + rowsOf(node), 0);
        if (what === "ends") assert.ok(plan["Actual Rows"] > 14_000);
        if (what === "between") assert.ok(plan["Actual Rows"] > 17_000);
        assert.ok(rows < 200_000, `${what} goes through ${rows} rows`);
      }
    });
  }
});

type Plan = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly Plan[];
};

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** All that a node gave on or dropped. */
function rowsOf(node: Plan): number {
  const dropped = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0);
  return (node["Actual Rows"] + dropped) * node["Actual Loops"];
}

function scene() {
  const clock = manualClock();
  const turns = createSearchTurns(clock);
  const ends: PromiseWithResolvers<number>[] = [];
  const outcomes: string[] = [];
  let running = 0;
  let most = 0;
  return {
    clock,
    outcomes,
    most: () => most,
    begun: () => ends.length,
    async end(nth: number) {
      ends[nth]!.resolve(nth);
      await setImmediate();
    },
    async fail(nth: number) {
      ends[nth]!.reject(new Error("the database is away"));
      await setImmediate();
    },
    async ask(...addresses: readonly string[]) {
      for (const address of addresses) {
        void turns
          .take(address, async () => {
            running += 1;
            most = Math.max(most, running);
            const end = Promise.withResolvers<number>();
            ends.push(end);
            return end.promise.finally(() => (running -= 1));
          })
          .then(
            (taken) =>
              outcomes.push(`${address} ${taken.kind === "busy" ? taken.reason : String(taken.found)}`),
            () => outcomes.push(`${address} failed`),
          );
      }
      await setImmediate();
    },
  };
}

const addresses = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `a${at}`);

test("two searches run at once, and the next begins when one ends, or fails", async () => {
  const { ask, begun, end, fail, outcomes, most } = scene();
  await ask("a", "b", "c", "d");
  assert.equal(begun(), 2);
  await end(1);
  await fail(0);
  assert.equal(begun(), 4);
  await end(2);
  await end(3);
  assert.deepEqual([outcomes, most()], [["b 1", "a failed", "c 2", "d 3"], 2]);
  await ask("a", "a");
  assert.equal(begun(), 6);
});

test("an address has no more than four searches, running and waiting", async () => {
  const { ask, end, outcomes } = scene();
  await ask("a", "a", "a", "a", "a", "b");
  assert.deepEqual(outcomes, ["a address_limit"]);
  await end(0);
  await ask("a");
  assert.deepEqual(outcomes, ["a address_limit", "a 0"]);
});

test("no more than twenty searches wait, none of them for long", async () => {
  const { ask, begun, end, clock, outcomes } = scene();
  await ask(...addresses(23));
  assert.deepEqual(outcomes, ["a22 queue_full"]);
  await end(0);
  assert.equal(begun(), 3);
  await clock.advance(10_000);
  assert.equal(outcomes.filter((outcome) => outcome.endsWith("queue_full")).length, 1 + 19);
  // Searches that gave up hold no place.
  await end(1);
  await end(2);
  await ask("a5", "a5", "a5");
  assert.deepEqual([begun(), clock.pending()], [5, 1]);
});

test("a cursor of schedules that was given is taken, whatever the store holds", () => {
  // A service's name has at most 200 characters and no NUL; windows lie within the calendar's four digits.
  const name = anyText({ maxLength: 200 }).map((text) =>
    text.replaceAll("\0", "").slice(0, 200).toWellFormed(),
  );
  const time = fc
    .date({
      min: new Date("1969-12-31T10:00:00Z"),
      max: new Date("+010000-01-01T12:00:00Z"),
      noInvalidDate: true,
    })
    .map((date) => date.getTime());
  const key = fc.oneof(
    fc.tuple(name, name).map((values) => ({ kinds: ["text", "text"] as const, values })),
    fc.tuple(time, fc.uuid()).map((values) => ({ kinds: ["ms", "uuid"] as const, values })),
    fc
      .tuple(time, fc.uuid(), fc.uuid())
      .map((values) => ({ kinds: ["ms", "uuid", "uuid"] as const, values })),
  );
  forAll(100, key, ({ kinds, values }) => {
    const first = readPage({ limit: 1 }, kinds)!;
    const { next_cursor: cursor } = pageOf(first, [values, values], (held) => [...held]);
    assert.deepEqual(readPage({ limit: 1, cursor }, kinds)?.after, values);
  });
  // The longest that a cursor can become.
  const longest = ["HRNL", "\u0001".repeat(200)];
  const { next_cursor: cursor } = pageOf(
    readPage({ limit: 1 }, ["text", "text"])!,
    ["a", "b"],
    () => longest,
  );
  assert.deepEqual(readPage({ limit: 1, cursor }, ["text", "text"])?.after, longest);
});
