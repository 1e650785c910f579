/** `container_arrived` (spec 6.3, 8): the moment at which 48 hours are left, whatever the vessel does then. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { VesselReport } from "../../../src/products/ocean/sources/ais/ais-answer.ts";
import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecordAt, nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { RecordContext, ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { march } from "../event.ts";
import { inLines, looksOf } from "../in-lines.ts";
import { TRACKED, UNARMED } from "../life.ts";
import { columns } from "../../support/columns.ts";

type Status = VesselReport["status"];
const AT_ANCHOR: Status = 1;
const MOORED: Status = 5;
const UNDER_WAY: Status = 0;

const NUMBERED = { HERON: { vessel: { name: "HERON DAWN", imo: "9074729" } } };
const { answers, looks } = inLines({ words: NUMBERED, madeOn: 1 });

const sailed = "LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON";
const planned = `${sailed}; ARRI? NLRTM 20 HERON`;
const anchored = `${planned}; ARRI NLRTM/ANCH 18 HERON`;

function statementsOf(events: Parameters<typeof nextRecord>[0]["events"]) {
  return { carrier: "HRNL", identifierType: "container_id", events, freeDays: [] } as const;
}

/** The status and the events at each poll, with what the vessel says of itself then. */
function lived(line: string, lies: readonly (Status | null)[]): readonly string[] {
  let before: ShipmentRecord | null = null;
  const polls = answers(line).map(([atMs, stated], nth) => {
    const status = lies[nth] ?? null;
    const report = status === null ? {} : { vesselReportOf: () => ({ status, seenMs: atMs - 60_000 }) };
    const context: RecordContext = { ...UNARMED, ...report };
    const next = nextRecord(statementsOf(stated), before, context, atMs);
    const { record, events: raised } = changesBetween(TRACKED, before, next, context, atMs);
    before = record;
    return { atMs, record, raised };
  });
  return looksOf(polls);
}

test("a box arrives when 48 hours are left though its vessel says that it lies at anchor or at berth", () => {
  const line = `@17 ${planned} | @18.10 + | @18.13 + | @18.18 + | @19 +`;
  for (const [status, lies] of [
    ["at_anchor", AT_ANCHOR],
    ["at_berth", MOORED],
  ] as const)
    assert.deepEqual(lived(line, [null, lies, lies, lies, UNDER_WAY]), [
      "in_transit",
      `${status} updated(status)`,
      `${status} container_arrived`,
      status,
      "arriving updated(status)",
    ]);
});

test("a box arrives when 48 hours are left though a port call has its vessel at anchor, or at a port on the way", () => {
  const waiting = `${sailed}; ARRI NLRTM/ANCH 18 HERON; ARRI? NLRTM 22 HERON (18)`;
  assert.deepEqual(looks(`@18.11 ${planned} | @19 ${waiting} | @20.13 + | @21 +`), [
    "in_transit",
    "at_anchor eta_changed updated(status)",
    "at_anchor container_arrived",
    "at_anchor",
  ]);
  assert.deepEqual(looks(`@17 ${planned} | @18.11 + ARRI BEANR 18 HERON | @18.13 +`), [
    "in_transit",
    "at_berth updated(status)",
    "at_berth container_arrived",
  ]);
  assert.deepEqual(
    looks(`@17 ${planned} | @19 ${anchored}`).slice(1),
    ["at_anchor container_arrived"],
    "the status of the same poll is raised with it",
  );
});

test("a departure that is planned still, and overdue, holds back no box whose vessel is at anchor at its port", () => {
  const loaded = "LOAD CNTAO 2 HERON; DEPA? CNTAO 3 HERON; ARRI? NLRTM 20 HERON";
  const [, there] = looks(`@17 ${loaded} | @19 + ARRI NLRTM/ANCH 19 HERON`);
  assert.equal(there, "at_anchor vessel_departed container_arrived");
});

test("a box that is loaded after its vessel was to leave has not sailed while that plan is stated", () => {
  const plan = "DEPA? CNTAO 1 HERON; ARRI? NLRTM 4 HERON";
  const [, planStays] = looks(`@1 ${plan} | @2.20 + LOAD CNTAO 2 HERON`);
  assert.match(planStays!, /^pre_departure (?!container)/);
  const [, planGone] = looks(`@1 ${plan} | @2.20 LOAD CNTAO 2 HERON; ARRI? NLRTM 4 HERON`);
  assert.match(planGone!, /^arriving container_arrived/);
});

test("neither a box first polled within its 48 hours, nor a leg before the last, nor a landed box arrives", () => {
  const later = `${anchored}; ARRI? NLRTM 25 HERON (19)`;
  const onward = "DEPA~ NLRTM 22 TERN (22); ARRI~ PLGDN 24 TERN (24)";
  for (const [line, lies] of [
    [`@19 ${anchored} | @19.18 + | @20 ${later} | @24 ${later}`, [null, UNDER_WAY]],
    [`@17 ${planned}; ${onward} | @19 + ARRI NLRTM/ANCH 18 HERON`, [null, AT_ANCHOR]],
    [`@15 ${planned} | @19 ${sailed}; ARRI NLRTM 16 HERON; DISC NLRTM 17`, [null, MOORED]],
  ] as const)
    assert.ok(!lived(line, lies).join().includes("container_arrived"), line);
});

test("the moment is due by time alone while the vessel lies at anchor", () => {
  const [[, events]] = answers(`@17 ${planned}; ARRI NLRTM/ANCH 17 HERON`) as [ReturnType<typeof answers>[0]];
  const before = nextRecord(statementsOf(events), null, UNARMED, march(17, 13));
  assert.equal(before.changesAtMs, march(18) + 1);
  const after = nextRecordAt(before, UNARMED, march(18) + 1);
  const { events: raised } = changesBetween(TRACKED, before, after, UNARMED, march(18) + 1);
  assert.deepEqual(columns(raised, "type", "dedupKey"), [
    ["container_arrived", `${TRACKED.id}:CSQU3054383:container_arrived:NLRTM`],
  ]);
});
