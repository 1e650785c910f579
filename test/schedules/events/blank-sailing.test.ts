/** Which cancellation is told of, and what is said of it, from calls as they are known. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { CallRecord } from "../../../src/products/schedules/calls/call-record.ts";
import {
  cancellationEvents,
  raisedCancellation,
  isNewlyCancelled,
} from "../../../src/products/schedules/events/blank-sailing.ts";
import { DAY_MS, HOUR_MS, type Said } from "../statements.ts";
import { callOf, type Known, NOW_MS } from "./record.ts";

const VOYAGE = { kind: "voyage", sinceMs: 1 } as const;
const PORT_CALL = { kind: "port_call", sinceMs: 1 } as const;
const SILENT = { kind: "silent", sinceMs: 1 } as const;
const D = NOW_MS + 10 * DAY_MS;

const blanked = (says: Said = {}, known?: Known) => callOf({ status: "BLNK", ...says }, known);
const omitted = (says: Said = {}, known?: Known) => callOf({ status: "OMIT", ...says }, known);
const gone = (says: Said = {}, known: Known = {}) => callOf(says, { goneMs: NOW_MS, ...known });

/** What is told of the first of these calls, or of those named fresh: a kind, the voyage and the ids in the key. */
function events(voyages: readonly CallRecord[], fresh: readonly CallRecord[] = voyages.slice(0, 1)) {
  const { drafts, raised } = cancellationEvents(fresh, voyages, NOW_MS);
  return { keys: drafts.map(({ key }) => key), told: Object.fromEntries(raised), drafts };
}

const voyageKey = (id: string) => `blank_sailing:voyage:${id}:${NOW_MS}`;
const callKey = (id: string) => `blank_sailing:${id}:${NOW_MS}`;
const toldNow = (kind: "voyage" | "port_call") => ({ kind, sinceMs: NOW_MS });

describe("a call", () => {
  const CASES: readonly [what: string, before: CallRecord | null, after: CallRecord, isFresh: boolean][] = [
    ["when it is first seen", null, blanked(), false],
    ["while it is to be made", callOf({}), callOf({}), false],
    ["when its voyage is blanked", callOf({}), blanked(), true],
    ["when it is omitted", callOf({}), omitted(), true],
    ["when it has been told", blanked(), blanked({}, { raised: { cancelled: VOYAGE } }), false],
    [
      "when its voyage is blanked after it was omitted",
      omitted(),
      blanked({}, { raised: { cancelled: PORT_CALL } }),
      true,
    ],
    [
      "when it is omitted and that was told",
      omitted(),
      omitted({}, { raised: { cancelled: PORT_CALL } }),
      false,
    ],
    [
      "when it is omitted after its voyage was blanked",
      blanked(),
      omitted({}, { raised: { cancelled: VOYAGE } }),
      false,
    ],
    ["when it was so from the start", blanked(), blanked({}, { raised: { cancelled: SILENT } }), false],
  ];
  for (const [what, before, after, isFresh] of CASES) {
    test(`is ${isFresh ? "" : "not "}freshly cancelled ${what}`, () =>
      assert.equal(isNewlyCancelled({ before, after }), isFresh));
  }
});

describe("of a cancellation that is not fresh it is kept", () => {
  test("that there is none", () => {
    const after = callOf({}, { raised: { cancelled: VOYAGE } });
    assert.equal(raisedCancellation({ before: after, after }, NOW_MS), null);
    assert.equal(raisedCancellation({ before: null, after }, NOW_MS), null);
  });

  test("that it held when the call was first seen", () => {
    assert.deepEqual(raisedCancellation({ before: null, after: blanked() }, NOW_MS), {
      kind: "silent",
      sinceMs: NOW_MS,
    });
  });

  test("what was told", () => {
    const after = blanked({}, { raised: { cancelled: VOYAGE } });
    assert.equal(raisedCancellation({ before: after, after }, NOW_MS), VOYAGE);
  });
});

describe("a call alone is told of", () => {
  test("when it is omitted, with all that is known of it", () => {
    const call = omitted({
      arrival: { planned: D - HOUR_MS, estimated: D },
      departure: { planned: D + HOUR_MS },
      terminal: "YOKT1",
      reference: "REF1",
      delayReason: "WEA",
      remark: "Typhoon",
      voyage: { import: "013W", export: "014E" },
    });
    const utc = (ms: number) => new Date(ms).toISOString();
    const { drafts, told } = events([call]);
    assert.deepEqual(told, { 1: toldNow("port_call") });
    assert.deepEqual(drafts, [
      {
        type: "blank_sailing",
        data: {
          kind: "port_call",
          reason: "omitted",
          status_code: "OMIT",
          carrier: "HRNL",
          service: "HE1",
          service_name: "Heron Express",
          universal_service_reference: null,
          voyage: "014E",
          import_voyage: "013W",
          export_voyage: "014E",
          vessel_name: "HERON DAWN",
          vessel_imo: "9321483",
          port: "JPYOK",
          port_name: "Yokohama",
          terminal: "YOKT1",
          transport_call_reference: "REF1",
          port_calls: [
            {
              port: "JPYOK",
              port_name: "Yokohama",
              terminal: "YOKT1",
              arrival: utc(D),
              departure: utc(D + HOUR_MS),
            },
          ],
          delay_reason: "WEA",
          remark: "Typhoon",
          event_date_time: utc(D + HOUR_MS),
          event_local_datetime: utc(D + 10 * HOUR_MS).slice(0, 19),
          utc_offset_minutes: 540,
          event_timezone: "Asia/Tokyo",
        },
        key: callKey("1"),
      },
    ]);
  });

  test("at the time of its arrival where no departure is known, and at none where neither is", () => {
    const timeOf = (says: Said) =>
      (events([omitted(says)]).drafts[0]!.data as Record<string, unknown>)["event_date_time"];
    assert.equal(timeOf({ arrival: { planned: D } }), new Date(D).toISOString());
    assert.equal(timeOf({}), undefined);
  });

  test("when it was told so already, no more", () => {
    const call = omitted({}, { raised: { cancelled: PORT_CALL } });
    const { keys, told } = events([call]);
    assert.deepEqual(keys, []);
    assert.deepEqual(told, { 1: PORT_CALL });
  });

  test("when it has no voyage's number, whatever its status", () => {
    const call = blanked({ voyage: { import: null, export: null } });
    assert.deepEqual(events([call]).keys, [callKey("1")]);
  });

  for (const [reason, code, call] of [
    ["blanked", "BLNK", blanked()],
    ["slid", "SLID", callOf({ status: "SLID" })],
    ["omitted", "OMIT", omitted()],
    ["omitted", "OMIT", omitted({}, { goneMs: NOW_MS })],
    ["missing", null, gone()],
    ["missing", null, gone({ status: "CUTR" })],
  ] as const) {
    test(`is said to be ${reason} with status ${code ?? "none of these"}`, () => {
      const [draft] = events([call]).drafts;
      const { reason: why, status_code } = draft!.data as Record<string, unknown>;
      assert.deepEqual([why, status_code], [reason, code]);
    });
  }
});

describe("a voyage is told of as a whole", () => {
  test("when its one call is blanked", () => {
    const { keys, told } = events([blanked()]);
    assert.deepEqual(keys, [voyageKey("1")]);
    assert.deepEqual(told, { 1: toldNow("voyage") });
  });

  test("when all of its calls are gone, and one is no voyage's end", () => {
    const [one, other] = [gone(), gone({ port: "SGSIN" }, { id: "2" })];
    assert.deepEqual(events([one, other]).keys, [voyageKey("1")]);
    assert.deepEqual(events([one, callOf({ port: "SGSIN" }, { id: "2" })]).keys, [callKey("1")]);
    assert.deepEqual(events([one]).keys, [callKey("1")]);
  });

  test("not when all of its calls are omitted one by one", () => {
    assert.deepEqual(events([omitted(), omitted({ port: "SGSIN" }, { id: "2" })]).keys, [callKey("1")]);
  });

  test("once, by the first of its calls in time, whichever calls say so", () => {
    const late = blanked({ departure: { planned: D + DAY_MS } }, { id: "1" });
    const early = blanked({ departure: { planned: D } }, { id: "2" });
    const { keys, told } = events([late, early], [late, early]);
    assert.deepEqual(keys, [voyageKey("2")]);
    assert.deepEqual(told, { 1: toldNow("voyage"), 2: toldNow("voyage") });
  });

  test("no more where one of its calls has told of it, but again where that call told of itself alone", () => {
    const fresh = blanked();
    const other = (cancelled: CallRecord["raised"]["cancelled"]) =>
      blanked({ port: "SGSIN" }, { id: "2", raised: { cancelled } });
    assert.deepEqual(events([fresh, other(VOYAGE)]).keys, []);
    assert.deepEqual(events([fresh, other(VOYAGE)]).told, { 1: toldNow("voyage") });
    assert.deepEqual(events([fresh, other(PORT_CALL)]).keys, [voyageKey("1")]);
    assert.deepEqual(events([fresh, other(SILENT)]).keys, [voyageKey("1")]);
  });

  test("each of two services by itself, and each voyage", () => {
    const calls = [
      blanked(),
      blanked({ service: { code: "HE2", name: null, universal: null } }, { id: "2" }),
      blanked({ voyage: { import: "015E", export: "015E" } }, { id: "3" }),
      blanked({ carrier: "EGRT" }, { id: "4" }),
    ];
    assert.deepEqual(events(calls, calls).keys, ["1", "2", "3", "1"].map(voyageKey));
  });

  test("with its calls in the order of time, those that are made or kept left out", () => {
    const calls = [
      blanked({ port: "SGSIN", departure: { planned: D + DAY_MS } }, { id: "9" }),
      blanked({ departure: { planned: D } }, { id: "8" }),
      blanked({ port: "CNSHA", departure: { planned: D } }, { id: "7" }),
      callOf({ port: "NLRTM", departure: { planned: D - DAY_MS } }, { id: "6" }),
      blanked({ port: "DEHAM", arrival: { actual: D - 2 * DAY_MS } }, { id: "5" }),
      blanked({ port: "BEANR", voyage: { import: "015E", export: "015E" } }, { id: "4" }),
    ];
    const { drafts } = events(calls);
    const data = drafts[0]!.data as Record<string, unknown>;
    const listed = data["port_calls"] as readonly { readonly port: string; readonly arrival: unknown }[];
    assert.deepEqual(
      listed.map(({ port }) => port),
      ["CNSHA", "JPYOK", "SGSIN"],
    );
    assert.equal(listed[0]!.arrival, null);
    assert.equal(drafts[0]!.key, voyageKey("7"));
    assert.deepEqual([data["kind"], data["voyage"], data["port"]], ["voyage", "014E", undefined]);
    assert.equal(data["event_date_time"], new Date(D).toISOString());
    assert.equal(data["event_timezone"], "Asia/Shanghai");
    assert.deepEqual([data["carrier"], data["reason"], data["delay_reason"]], ["HRNL", "blanked", null]);
  });

  test("with fifty of its calls at most", () => {
    const calls = Array.from({ length: 60 }, (_, index) => blanked({}, { id: String(100 + index) }));
    const { drafts } = events(calls);
    assert.equal((drafts[0]!.data as { readonly port_calls: readonly unknown[] }).port_calls.length, 50);
  });

  test("by the call itself where its other calls are not known", () => {
    const { keys, drafts } = events([], [blanked()]);
    assert.deepEqual(keys, [voyageKey("1")]);
    assert.equal((drafts[0]!.data as { readonly port_calls: readonly unknown[] }).port_calls.length, 1);
  });
});

describe("where one voyage ends and the next begins, a blanked call is", () => {
  const turn = blanked({ voyage: { import: "013W", export: "014E" } });
  const of = (number: string, status: "BLNK" | null, id: string) =>
    callOf({ status, port: "SGSIN", voyage: { import: number, export: number } }, { id });
  const voyageTold = (...others: readonly CallRecord[]) => {
    const [draft] = events([turn, ...others]).drafts;
    const { kind, voyage } = draft!.data as Record<string, unknown>;
    return [kind, voyage];
  };

  test("of the voyage on which it leaves, when that one's other calls are blanked", () => {
    assert.deepEqual(voyageTold(of("014E", "BLNK", "2"), of("013W", "BLNK", "3")), ["voyage", "014E"]);
    assert.deepEqual(voyageTold(of("014E", "BLNK", "2"), of("013W", null, "3")), ["voyage", "014E"]);
  });

  test("of the voyage on which it came, when that one's calls alone are blanked", () => {
    assert.deepEqual(voyageTold(of("014E", null, "2"), of("013W", "BLNK", "3")), ["voyage", "013W"]);
  });

  test("of neither, when the calls of both are made", () => {
    assert.deepEqual(voyageTold(of("014E", null, "2"), of("013W", null, "3")), ["port_call", "014E"]);
  });

  test("of the voyage on which it leaves, when no other call of that one is known", () => {
    assert.deepEqual(voyageTold(of("013W", null, "3")), ["voyage", "014E"]);
    assert.deepEqual(voyageTold(), ["voyage", "014E"]);
  });

  test("of the voyage on which it leaves, when it is not known on which it came", () => {
    const call = blanked({ voyage: { import: null, export: "014E" } });
    assert.deepEqual(events([call, of("014E", null, "2")], [call]).keys, [voyageKey("1")]);
    const leaving = callOf({ status: "BLNK", voyage: { import: null, export: "014E" } }, { id: "2" });
    assert.deepEqual(voyageTold(leaving, of("013W", "BLNK", "3")), ["voyage", "014E"]);
  });
});
