/** Which cancellations raise an event, and its data (spec 6.2: blank_sailing). */
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
import { column } from "../../support/columns.ts";

const VOYAGE = { kind: "voyage", sinceMs: 1 } as const;
const PORT_CALL = { kind: "port_call", sinceMs: 1 } as const;
const SILENT = { kind: "silent", sinceMs: 1 } as const;
const D = NOW_MS + 10 * DAY_MS;

const blanked = (facts: Said = {}, known?: Known) => callOf({ status: "BLNK", ...facts }, known);
const omitted = (facts: Said = {}, known?: Known) => callOf({ status: "OMIT", ...facts }, known);
const gone = (facts: Said = {}, known: Known = {}) => callOf(facts, { goneMs: NOW_MS, ...known });

/** The events of the first of these calls, or of the fresh ones, and what the calls have then raised. */
function events(voyages: readonly CallRecord[], fresh: readonly CallRecord[] = voyages.slice(0, 1)) {
  const { drafts, raised } = cancellationEvents(fresh, voyages, NOW_MS);
  return { keys: drafts.map(({ key }) => key), raised: Object.fromEntries(raised), drafts };
}

const voyageKey = (id: string) => `blank_sailing:voyage:${id}:${NOW_MS}`;
const callKey = (id: string) => `blank_sailing:${id}:${NOW_MS}`;
const raisedNow = (kind: "voyage" | "port_call") => ({ kind, sinceMs: NOW_MS });

const PLACE = { port: "JPYOK", port_name: "Yokohama", terminal: "YOKT1" };

describe("a call", () => {
  const raising = (cancelled: CallRecord["raised"]["cancelled"]): Known => ({ raised: { cancelled } });
  const CASES: readonly [what: string, before: CallRecord | null, after: CallRecord, isFresh: boolean][] = [
    ["when it is first seen", null, blanked(), false],
    ["while it is to be made", callOf({}), callOf({}), false],
    ["when its voyage is blanked", callOf({}), blanked(), true],
    ["when it is omitted", callOf({}), omitted(), true],
    ["when it has raised that", blanked(), blanked({}, raising(VOYAGE)), false],
    ["when its voyage is blanked after it was omitted", omitted(), blanked({}, raising(PORT_CALL)), true],
    ["when it is omitted and has raised that", omitted(), omitted({}, raising(PORT_CALL)), false],
    ["when it is omitted after its voyage was blanked", blanked(), omitted({}, raising(VOYAGE)), false],
    ["when it was so from the start", blanked(), blanked({}, raising(SILENT)), false],
  ];
  for (const [what, before, after, isFresh] of CASES) {
    test(`is ${isFresh ? "" : "not "}newly cancelled ${what}`, () =>
      assert.equal(isNewlyCancelled({ before, after }), isFresh));
  }
});

describe("a call that is not newly cancelled records", () => {
  test("that no cancellation holds", () => {
    const after = callOf({}, { raised: { cancelled: VOYAGE } });
    assert.equal(raisedCancellation({ before: after, after }, NOW_MS), null);
    assert.equal(raisedCancellation({ before: null, after }, NOW_MS), null);
  });

  test("a cancellation that held when it was first seen", () =>
    assert.deepEqual(raisedCancellation({ before: null, after: blanked() }, NOW_MS), {
      kind: "silent",
      sinceMs: NOW_MS,
    }));

  test("what it has raised", () => {
    const after = blanked({}, { raised: { cancelled: VOYAGE } });
    assert.equal(raisedCancellation({ before: after, after }, NOW_MS), VOYAGE);
  });
});

describe("a call raises an event by itself", () => {
  test("when it is omitted, with all of its facts", () => {
    const call = omitted({
      ...{ arrival: { planned: D - HOUR_MS, estimated: D }, departure: { planned: D + HOUR_MS } },
      ...{ terminal: "YOKT1", reference: "REF1", delayReason: "WEA", remark: "Typhoon" },
      voyage: { import: "013W", export: "014E" },
    });
    const utc = (ms: number) => new Date(ms).toISOString();
    const { drafts, raised } = events([call]);
    assert.deepEqual(raised, { 1: raisedNow("port_call") });
    assert.deepEqual(drafts, [
      {
        type: "blank_sailing",
        data: {
          ...{ kind: "port_call", reason: "omitted", status_code: "OMIT", carrier: "HRNL", service: "HE1" },
          ...{ service_name: "Heron Express", universal_service_reference: null },
          ...{ voyage: "014E", import_voyage: "013W", export_voyage: "014E" },
          ...{ vessel_name: "HERON DAWN", vessel_imo: "9321483", transport_call_reference: "REF1", ...PLACE },
          port_calls: [{ ...PLACE, arrival: utc(D), departure: utc(D + HOUR_MS) }],
          ...{ delay_reason: "WEA", remark: "Typhoon", event_date_time: utc(D + HOUR_MS) },
          event_local_datetime: utc(D + 10 * HOUR_MS).slice(0, 19),
          ...{ utc_offset_minutes: 540, event_timezone: "Asia/Tokyo" },
        },
        key: callKey("1"),
      },
    ]);
  });

  test("at its arrival if the departure is unknown, at no time if both are", () => {
    const timeOf = (facts: Said) =>
      (events([omitted(facts)]).drafts[0]!.data as Record<string, unknown>)["event_date_time"];
    assert.equal(timeOf({ arrival: { planned: D } }), new Date(D).toISOString());
    assert.equal(timeOf({}), undefined);
  });

  test("only once", () => {
    const call = omitted({}, { raised: { cancelled: PORT_CALL } });
    const { keys, raised } = events([call]);
    assert.deepEqual(keys, []);
    assert.deepEqual(raised, { 1: PORT_CALL });
  });

  test("when it has no voyage number, whatever its status", () => {
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
    test(`for the reason ${reason} with status ${code ?? "none of these"}`, () => {
      const [draft] = events([call]).drafts;
      const { reason: why, status_code } = draft!.data as Record<string, unknown>;
      assert.deepEqual([why, status_code], [reason, code]);
    });
  }
});

describe("a voyage raises one event", () => {
  test("when its one call is blanked", () => {
    const { keys, raised } = events([blanked()]);
    assert.deepEqual(keys, [voyageKey("1")]);
    assert.deepEqual(raised, { 1: raisedNow("voyage") });
  });

  test("when all of its calls are gone, if it has more than one", () => {
    const [one, other] = [gone(), gone({ port: "SGSIN" }, { id: "2" })];
    assert.deepEqual(events([one, other]).keys, [voyageKey("1")]);
    assert.deepEqual(events([one, callOf({ port: "SGSIN" }, { id: "2" })]).keys, [callKey("1")]);
    assert.deepEqual(events([one]).keys, [callKey("1")]);
  });

  test("not when its calls are omitted one by one", () =>
    assert.deepEqual(events([omitted(), omitted({ port: "SGSIN" }, { id: "2" })]).keys, [callKey("1")]));

  test("with the key of its first call in time, whichever call is cancelled first", () => {
    const late = blanked({ departure: { planned: D + DAY_MS } }, { id: "1" });
    const early = blanked({ departure: { planned: D } }, { id: "2" });
    const { keys, raised } = events([late, early], [late, early]);
    assert.deepEqual(keys, [voyageKey("2")]);
    assert.deepEqual(raised, { 1: raisedNow("voyage"), 2: raisedNow("voyage") });
  });

  test("not if one of its calls has raised it, but also if that call was omitted before", () => {
    const fresh = blanked();
    const other = (cancelled: CallRecord["raised"]["cancelled"]) =>
      blanked({ port: "SGSIN" }, { id: "2", raised: { cancelled } });
    assert.deepEqual(events([fresh, other(VOYAGE)]).keys, []);
    assert.deepEqual(events([fresh, other(VOYAGE)]).raised, { 1: raisedNow("voyage") });
    assert.deepEqual(events([fresh, other(PORT_CALL)]).keys, [voyageKey("1")]);
    assert.deepEqual(events([fresh, other(SILENT)]).keys, [voyageKey("1")]);
  });

  test("for each service and each voyage", () => {
    const calls = [
      blanked(),
      blanked({ service: { code: "HE2", name: null, universal: null } }, { id: "2" }),
      blanked({ voyage: { import: "015E", export: "015E" } }, { id: "3" }),
      blanked({ carrier: "EGRT" }, { id: "4" }),
    ];
    assert.deepEqual(events(calls, calls).keys, ["1", "2", "3", "4"].map(voyageKey));
  });

  test("with its cancelled calls by time, without calls that are made or stand", () => {
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
    assert.deepEqual(column(listed, "port"), ["CNSHA", "JPYOK", "SGSIN"]);
    assert.equal(listed[0]!.arrival, null);
    assert.equal(drafts[0]!.key, voyageKey("7"));
    assert.deepEqual([data["kind"], data["voyage"], data["port"]], ["voyage", "014E", undefined]);
    assert.equal(data["event_date_time"], new Date(D).toISOString());
    assert.equal(data["event_timezone"], "Asia/Shanghai");
    assert.deepEqual([data["carrier"], data["reason"], data["delay_reason"]], ["HRNL", "blanked", null]);
  });

  test("with at most fifty of its calls", () => {
    const calls = Array.from({ length: 60 }, (_, index) => blanked({}, { id: String(100 + index) }));
    const { drafts } = events(calls);
    assert.equal((drafts[0]!.data as { readonly port_calls: readonly unknown[] }).port_calls.length, 50);
  });

  test("with the call itself if its other calls are unknown", () => {
    const { keys, drafts } = events([], [blanked()]);
    assert.deepEqual(keys, [voyageKey("1")]);
    assert.equal((drafts[0]!.data as { readonly port_calls: readonly unknown[] }).port_calls.length, 1);
  });
});

describe("between two voyages, a blanked call belongs to", () => {
  const turn = blanked({ voyage: { import: "013W", export: "014E" } });
  const of = (number: string, status: "BLNK" | null, id: string) =>
    callOf({ status, port: "SGSIN", voyage: { import: number, export: number } }, { id });
  const raisedVoyage = (...others: readonly CallRecord[]) => {
    const [draft] = events([turn, ...others]).drafts;
    const { kind, voyage } = draft!.data as Record<string, unknown>;
    return [kind, voyage];
  };

  test("the export voyage, if other calls of it are blanked", () => {
    assert.deepEqual(raisedVoyage(of("014E", "BLNK", "2"), of("013W", "BLNK", "3")), ["voyage", "014E"]);
    assert.deepEqual(raisedVoyage(of("014E", "BLNK", "2"), of("013W", null, "3")), ["voyage", "014E"]);
  });

  test("the import voyage, if only calls of that are blanked", () =>
    assert.deepEqual(raisedVoyage(of("014E", null, "2"), of("013W", "BLNK", "3")), ["voyage", "013W"]));

  test("neither, if the calls of both stand", () =>
    assert.deepEqual(raisedVoyage(of("014E", null, "2"), of("013W", null, "3")), ["port_call", "014E"]));

  test("the export voyage, if no other call of it is known", () => {
    assert.deepEqual(raisedVoyage(of("013W", null, "3")), ["voyage", "014E"]);
    assert.deepEqual(raisedVoyage(), ["voyage", "014E"]);
  });

  test("the export voyage, if the import voyage is unknown", () => {
    const call = blanked({ voyage: { import: null, export: "014E" } });
    assert.deepEqual(events([call, of("014E", null, "2")], [call]).keys, [voyageKey("1")]);
    const leaving = callOf({ status: "BLNK", voyage: { import: null, export: "014E" } }, { id: "2" });
    assert.deepEqual(raisedVoyage(leaving, of("013W", "BLNK", "3")), ["voyage", "014E"]);
  });
});
