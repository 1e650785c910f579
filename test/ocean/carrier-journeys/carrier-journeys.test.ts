/**
 * Journeys in the forms of carriers' answers. Their expectations follow from the specification and from the rules in
 * docs/decisions by hand, and stood before the product was asked.
 */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { readJourneys, type Journey, type Shown, BOXES, type Look } from "./read.ts";
import { parseAnswer } from "../../../src/products/ocean/sources/dcsa/parse.ts";
import { DCSA_SPELLING } from "../../../src/freight/dcsa/spelling.ts";
import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecord, nextRecordAt } from "../../../src/products/ocean/record/record.ts";
import type { RecordContext, ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { shipmentDetail } from "../../../src/products/ocean/tracking/shipment-view.ts";
import type { RaisedEvent } from "../../../src/model/event.ts";
import { checkEvents } from "../../support/check-deliveries.ts";
import { FORMS } from "../carrier-forms/forms.ts";
import type { Statement } from "../carrier-forms/statement.ts";
import { TRACKED } from "../life.ts";

/** Moments between two looks; far more than there can be. */
const MOMENTS_MAX = 200;

type Life = {
  readonly journey: Journey;
  readonly context: RecordContext;
  readonly raisedKeys: Set<string>;
  record: ShipmentRecord | null;
};

/** For each look what is shown after it, and after each moment before the next that shows or raises something. */
function livedLooks(journey: Journey): readonly (readonly Shown[])[] {
  const [first] = journey.looks;
  const armedFromMs = journey.isArmed ? (first?.atMs ?? 0) - 1 : null;
  const life: Life = { journey, context: { tariffs: [], armedFromMs }, raisedKeys: new Set(), record: null };
  return journey.looks.map((look, index) => {
    const shown = [poll(life, look)];
    const untilMs = journey.looks[index + 1]?.atMs ?? look.atMs;
    for (let moments = 0; life.record !== null; moments += 1) {
      const atMs: number | null = life.record.changesAtMs;
      if (atMs === null || atMs >= untilMs) break;
      if (moments > MOMENTS_MAX) throw new Error(`${journey.name} is to change for ever`);
      const before = shown.at(-1)?.status;
      const next = step(life, nextRecordAt(life.record, life.context, atMs), atMs);
      const at = new Date(atMs).toISOString().slice(5, 16);
      const wanted = look.expected[shown.length]?.status ?? "";
      const now = { at, status: statusOf(life, wanted, atMs), events: next };
      if (now.events.length > 0 || withoutPort(now.status) !== withoutPort(before ?? "")) shown.push(now);
    }
    return shown;
  });
}

const withoutPort = (status: string): string => status.replace(/ to .*/, "");

function poll(life: Life, look: Look): Shown {
  const { form: name, track } = life.journey;
  const form = FORMS[name];
  if (form === undefined) throw new Error(`${life.journey.name}: no form ${name}`);
  const stated = look.statements.filter((statement: Statement) => form.leavesOut?.(statement) !== true);
  const parsed = parseAnswer(JSON.parse(JSON.stringify(form.answer(stated, look.atMs))), DCSA_SPELLING);
  if (parsed === null || parsed.skipped.length > 0) {
    throw new Error(`${life.journey.name}: unreadable, ${JSON.stringify(parsed?.skipped)}`);
  }
  const { events: read, freeDays } = parsed;
  const statements = { carrier: "TEST", identifierType: track, events: read, freeDays } as const;
  const events = step(life, nextRecord(statements, life.record, life.context, look.atMs), look.atMs);
  return { at: "look", status: statusOf(life, look.expected[0]?.status ?? "", look.atMs), events };
}

function step(life: Life, next: ShipmentRecord, atMs: number): readonly string[] {
  const { record, events } = changesBetween(TRACKED, life.record, next, life.context, atMs);
  checkEvents(events);
  life.record = record;
  const raised = events.filter(({ dedupKey }) => {
    // As the engine does with a key that it has seen.
    if (dedupKey === undefined) return true;
    const isNew = !life.raisedKeys.has(dedupKey);
    life.raisedKeys.add(dedupKey);
    return isNew;
  });
  return inOrder(raised.map((event) => told(life.journey, event)));
}

const STATUS_FAMILY = /^(?:[A-C] )?(?:vessel_|container_(?!mis)|customs_|demurrage_)/;

/** Events of the status family are a chain; the others have no order. */
function inOrder(events: readonly string[]): readonly string[] {
  const rank = (text: string): string => (STATUS_FAMILY.test(text) ? "" : text);
  return events.toSorted((one, other) => (rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0));
}

/** The status shown, with what else the expectation names. */
function statusOf({ record, journey }: Life, wanted: string, atMs: number): string {
  if (record === null) return "nothing";
  const stored = { record: JSON.stringify(record), identifierType: journey.track, status: record.status };
  const now = new Date(atMs);
  const detail = shipmentDetail(
    {
      ...stored,
      id: TRACKED.id,
      reference: TRACKED.reference,
      carrier: "TEST",
      carrierHint: null,
      eta: null,
      failure: null,
      attention: null,
      vessels: null,
      refreshedAt: now,
      createdAt: now,
      nextPollAt: now,
    },
    atMs,
  );
  const boxes =
    detail.boxes.length < 2
      ? []
      : detail.boxes.map(({ equipment_reference: number, status }) => `${letterOf(number)}:${status}`);
  const port = / to (\S+)/.test(wanted)
    ? [`to ${detail.discharge?.unlocode ?? detail.discharge?.name ?? "-"}`]
    : [];
  return [
    detail.status,
    ...boxes.toSorted(),
    ...(detail.awaiting_next_trip ? ["awaiting"] : []),
    ...port,
  ].join(" ");
}

function letterOf(number: unknown): string {
  return Object.keys(BOXES).find((letter) => BOXES[letter] === number) ?? "?";
}

function told(journey: Journey, { type, data }: Pick<RaisedEvent, "type" | "data">): string {
  const fields = JSON.parse(data) as Readonly<Record<string, unknown>>;
  const boxes = new Set(journey.looks.flatMap(({ statements }) => statements.map(({ box }) => box)));
  const box = boxes.size > 1 ? `${letterOf(fields["equipment_reference"])} ` : "";
  return `${box}${type} ${detailsOf(journey, type, fields)}`;
}

function detailsOf(journey: Journey, type: string, fields: Readonly<Record<string, unknown>>): string {
  switch (type) {
    case "eta_changed": {
      const hours = Number(fields["delta_hours"]);
      return `${hours > 0 ? "+" : ""}${hours}h`;
    }
    case "schedule_disruption": {
      const delay = fields["delay_hours"];
      return `${String(fields["kind"])}${typeof delay === "number" ? ` ${delay}h` : ""}${rolled(journey, String(fields["headline"]))}`;
    }
    case "container_misrouted":
      return `${String(fields["discharge_port"])} for ${String(fields["expected_port"])}`;
    case "shipment_updated":
      return (fields["changed_fields"] as readonly string[]).join();
    default:
      return statusChange(fields);
  }
}

function statusChange(fields: Readonly<Record<string, unknown>>): string {
  const { previous_status: from, new_status: to, event_local_datetime: local } = fields;
  const overdue = fields["demurrage_days_overdue"];
  return [
    `${String(from)}>${String(to)}`,
    typeof local === "string" ? local.slice(5, 16) : "untimed",
    ...(typeof overdue === "number" ? [`overdue ${overdue}`] : []),
  ].join(" ");
}

/** The vessels that the headline of a roll-over names, in their order. */
function rolled({ looks }: Journey, headline: string): string {
  if (!/roll/i.test(headline)) return "";
  const vessels = new Set(
    looks.flatMap(({ statements }) => statements.flatMap(({ vessel }) => vessel ?? [])),
  );
  const named = [...vessels].filter((vessel) => headline.includes(vessel));
  return [" rolled", ...named.toSorted((one, other) => headline.indexOf(one) - headline.indexOf(other))].join(
    " ",
  );
}

const folder = new URL("./", import.meta.url);

const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));

const all = files.map((file) => ({
  file: file.replace(".txt", ""),
  journeys: readJourneys(readFileSync(new URL(file, folder), "utf8")),
}));

for (const { file, journeys } of all) {
  for (const journey of journeys) {
    test(`${file}: ${journey.name}`, () => {
      const shown = livedLooks(journey);
      for (const [index, { atMs, expected }] of journey.looks.entries()) {
        const look = new Date(atMs).toISOString().slice(5, 16);
        assert.deepEqual(
          (shown[index] ?? []).map(lineOf),
          expected.map(lineOf),
          `${journey.name}, look ${look} (${whatDiffers(shown[index] ?? [], expected)})`,
        );
      }
    });
  }
}

function lineOf({ at, status, events }: Shown): string {
  return [`${at} = ${status}`, ...events.map((event) => `! ${event}`)].join("\n");
}

function whatDiffers(shown: readonly Shown[], expected: readonly Shown[]): string {
  const lines = (list: readonly Shown[]): readonly string[] => list.flatMap((one) => lineOf(one).split("\n"));
  const more = lines(shown).filter((line) => !lines(expected).includes(line));
  const less = lines(expected).filter((line) => !lines(shown).includes(line));
  return `too much: ${more.join("; ") || "-"}; missing: ${less.join("; ") || "-"}`;
}

/** Where a carrier forgets what it announced, or drops a delivery, the answers between make the difference. */
const FORGETFUL: ReadonlySet<string> = new Set([
  "a delivery that answers leave out, once and then twice",
  "re-routed before it is discharged",
  "tracked before its end, and the next trip changes nothing",
  "handed over, and every answer after knows only the next booking's plan",
]);

test("an answer that nobody asked for, in another order or twice, changes no status in the end", () => {
  for (const journey of all.flatMap(({ journeys }) => journeys)) {
    if (FORGETFUL.has(journey.name)) continue;
    const end = endOf(journey.looks, journey);
    for (let index = 1; index < journey.looks.length - 1; index += 1) {
      const fewer = journey.looks.toSpliced(index, 1);
      assert.equal(endOf(fewer, journey), end, `${journey.name} without look ${index + 1}`);
    }
    const reversed = journey.looks.map((look) => ({ ...look, statements: look.statements.toReversed() }));
    assert.equal(endOf(reversed, journey), end, `${journey.name} the other way round`);
    const twice = journey.looks.flatMap((look) => [look, { ...look, atMs: look.atMs + 1 }]);
    const repeated = livedLooks({ ...journey, looks: twice }).filter((_, index) => index % 2 === 1);
    for (const [again] of repeated)
      assert.deepEqual(again?.events, [], `${journey.name}, the same answer twice`);
  }
});

function endOf(looks: Journey["looks"], journey: Journey): string {
  return livedLooks({ ...journey, looks }).at(-1)?.[0]?.status ?? "";
}

test("the journeys are sixty or more, in the forms of eight carriers or more", () => {
  const journeys: readonly Journey[] = all.flatMap((one) => one.journeys);
  assert.ok(journeys.length >= 60, `${journeys.length} journeys`);
  assert.ok(new Set(journeys.map(({ form }) => form)).size >= 8);
  assert.equal(new Set(journeys.map(({ name }) => name)).size, journeys.length, "two have one name");
  for (const { name, looks } of journeys) {
    assert.ok(
      looks.every(({ expected }) => expected.length > 0),
      `${name} has a look without an expectation`,
    );
  }
});
