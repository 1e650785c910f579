/** Where an account's containers are, and what of them needs attention (spec 4.2). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { BoxRecord } from "../../src/products/ocean/record/shipment-record.ts";
import { ingestReports } from "../../src/products/ocean/sources/ais/vessel-reports.ts";
import { event, march } from "../ocean/event.ts";
import { box, place, record, utc } from "../ocean/records.ts";
import { column } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { createCaller } from "../support/service.ts";
import { startOceanService } from "./ocean-service.ts";

const REFERENCES = ["HRNU4000017", "CSQU3054383", "QUAYS104", "QUAYS105", "QUAYS106"] as const;

describe("containers on a map", () => {
  const service = ofSuite(() => startOceanService());

  const track = async (records: readonly (readonly [string, BoxRecord])[]) => {
    const { key } = await createCaller(service, "tracking");
    const ids: string[] = [];
    for (const [reference, one] of records) {
      const id = await service.track(key, reference);
      await service.learn(id, record([one]));
      ids.push(id);
    }
    return { key, ids };
  };

  test("containers of one voyage are one position, by the vessel's report since it left; ended ones are nowhere", async () => {
    const ended = box({ status: "delivered" });
    const ashore = box({ timeline: [event("GTIN", "SGSIN", march(3))] });
    const nowhere = box({ timeline: [], origin: place("ZZZZZ") });
    const { key, ids } = await track([
      [REFERENCES[0], box()],
      [REFERENCES[1], box()],
      [REFERENCES[2], ashore],
      [REFERENCES[3], ended],
      [REFERENCES[4], nowhere],
    ]);
    const [directory] = service.test.cells;
    const report = (day: number, longitude: number) => ({
      ...{ imo: "9000001", status: 0, seenAtMs: march(day) },
      position: { latitude: 40.5, longitude, course: 88 },
    });
    const positions = async () => (await service.ask(key, "GET", "/positions")).body.data;
    await ingestReports(service.test.database, directory!, [report(5, 139.9)], march(5));
    assert.equal((await positions())[0].vessel_position, null, "a report from before the departure");
    await ingestReports(service.test.database, directory!, [report(9, 170.25)], march(9));
    const [sailing, lying, ...others] = await positions();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [sailing.vessel.name, sailing.place.unlocode, sailing.next_place.unlocode, sailing.containers],
      ["HERON ONE", "JPYOK", "USOAK", 2],
    );
    assert.deepEqual(sailing.vessel_position, {
      ...{ imo: "9000001", latitude: 40.5, longitude: 170.25, course: 88 },
      seen_at: new Date(march(9)).toISOString(),
    });
    assert.deepEqual(
      [sailing.departed_at, sailing.arrives_at],
      [march(6), march(20)].map((ms) => new Date(ms).toISOString()),
    );
    assert.deepEqual(column(sailing.newest, "id"), [ids[1], ids[0]]);
    assert.deepEqual(
      [lying.place.name, lying.vessel, lying.next_place, lying.containers],
      ["Singapore", null, null, 1],
    );
    const detail = (await service.ask(key, "GET", `/${ids[0]}`)).body.data;
    assert.deepEqual(detail.vessel_position, sailing.vessel_position);
    assert.deepEqual([detail.origin.latitude, detail.origin.longitude], [35.46, 139.64]);
  });

  test("what somebody should act on stands with a container, and is listed alone", async () => {
    const freeTime = {
      ...{ lastFreeDay: "2026-03-25", source: "tariff" as const, endsMs: march(26), daysOverdue: 3 },
      ...{ accruedUsd: 450, rates: [{ fromDay: 1, centsUsd: 15_000 }] },
    };
    const misrouting = { at: utc(march(20)), discharge: place("USLAX"), expected: place("USOAK") };
    const { key, ids } = await track([
      [REFERENCES[0], box()],
      [REFERENCES[1], box({ status: "customs_hold", freeTime })],
      [REFERENCES[2], box({ status: "discharged", misrouting, freeTime: null })],
      [REFERENCES[3], box({ status: "returned_empty", freeTime })],
    ]);
    const listed = async (search: string) =>
      (await service.ask(key, "GET", `?${search}`)).body.data.map(
        ({ reference, attention }: { reference: string; attention: string[] }) => [reference, ...attention],
      );
    const [misrouted, held] = [
      [REFERENCES[2], "misrouted"],
      [REFERENCES[1], "customs_hold", "free_time_over"],
    ];
    assert.deepEqual(await listed("attention=true"), [misrouted, held]);
    assert.deepEqual(await listed("attention=true&status=customs_hold"), [held]);
    assert.deepEqual(await listed("attention=true&carrier=TRNC"), []);
    assert.deepEqual(await listed(`attention=true&reference=${REFERENCES[0]}`), []);
    assert.equal((await listed("attention=false")).length, 4);
    const { free_time: shown } = (await service.ask(key, "GET", `/${ids[1]}`)).body.data;
    assert.deepEqual(shown.rates, [{ from_day: 1, usd_per_day: 150 }]);
  });
});
