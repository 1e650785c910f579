/** What people derived by hand for sequences of messages and answers: `sequences/`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readdirSync, readFileSync } from "node:fs";

import type { ClaimedShipment } from "../../src/freight/polling/store/polls.ts";
import type { UpstreamAnswer } from "../../src/freight/upstream/upstream.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { reduceStatements } from "../../src/products/air/record/reduce-statements.ts";
import { readWaybillRecord } from "../../src/products/air/record/waybill-record.ts";
import type { AirlineAnswer } from "../../src/products/air/sources/airline-answer.ts";
import type { Airline } from "../../src/products/air/sources/airlines/airline-schema.ts";
import { digestOf, isKnown } from "../../src/products/air/sources/message-id.ts";
import { orderedFrom, saidIn } from "../../src/products/air/sources/pushed-messages.ts";
import { readMessages } from "../../src/products/air/sources/imp/read-messages.ts";
import { fetchRecord } from "../../src/products/air/sources/one-record/fetch.ts";
import { fetchStatus } from "../../src/products/air/sources/status-request/fetch.ts";
import type { WaybillStatement } from "../../src/products/air/timeline/air-event.ts";
import { waybillView } from "../../src/products/air/tracking/waybill-view.ts";
import { products } from "../../src/products/index.ts";
import { hasValidCheckDigit } from "../../src/freight/references/awb.ts";
import { manualClock } from "../support/clock.ts";

type Sequence = {
  readonly name: string;
  /** Eleven digits. */
  readonly awb: string;
  readonly looks: readonly Look[];
};

type Look = {
  /** As written; it names the look. */
  readonly time: string;
  readonly source: "push" | "fsa" | "one-record" | "none";
  readonly said: string;
  /** Null: nobody looks. */
  readonly shown: string | null;
  readonly raises: readonly string[];
  /** Null: not compared. */
  readonly timeline: string | null;
};

const SOURCES = ["push", "fsa", "one-record", "none"] as const;

function readSequences(folder: URL): readonly Sequence[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .toSorted()
    .flatMap((name) => {
      const paragraphs = readFileSync(new URL(name, folder), "utf8")
        .trim()
        .split(/\n{2,}/);
      return paragraphs.map((paragraph) => readSequence(paragraph, name));
    });
}

function readSequence(paragraph: string, file: string): Sequence {
  const [head = "", ...looks] = paragraph.split(/^@ /m);
  const [, title = "", prefix = "", serial = ""] = /^# (.+) \((\d{3})-(\d{8})\)\n$/.exec(head) ?? [];
  assert.notEqual(title, "", `${file}: ${head} is no title`);
  return { name: `${file}: ${title}`, awb: prefix + serial, looks: looks.map(readLook) };
}

function readLook(text: string): Look {
  const [head = "", ...lines] = text.trim().split("\n");
  const [time = "", written = ""] = head.split(" ");
  const source = SOURCES.find((one) => one === written);
  assert.ok(source !== undefined && !Number.isNaN(Date.parse(time)), `${head} is no look`);
  const said = lines.filter((line) => !line.startsWith("= "));
  const expected = lines.filter((line) => line.startsWith("= ")).map((line) => line.slice(2));
  const of = (word: string): readonly string[] =>
    expected.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const shown = expected.filter((line) => !/^(?:raises|timeline|why) /.test(line));
  assert.ok(shown.length <= 1, `${head}: ${shown.join(" and ")}`);
  return {
    ...{ time, source, said: said.join("\r\n"), shown: shown[0] ?? null },
    ...{ raises: of("raises"), timeline: of("timeline")[0] ?? null },
  };
}

/** The short notation as the JSON-LD that a server answers. */
function oneRecordGraph(said: string, awb: string): string {
  const [head = "", ...lines] = said.split("\r\n");
  const [, leg, pieces, weight] = head.split(" ");
  assert.ok(leg !== undefined && head.startsWith("waybill "), `${head} is no waybill`);
  const waybill = {
    "@type": "cargo:Waybill",
    "cargo:waybillPrefix": awb.slice(0, 3),
    "cargo:waybillNumber": awb.slice(3),
    ...endsOf(leg),
  };
  const shipment = {
    "@type": "cargo:Shipment",
    ...(pieces === undefined ? {} : { "cargo:totalPieceCount": Number(pieces) }),
    ...(weight === undefined ? {} : { "cargo:totalGrossWeight": weightOf(weight) }),
  };
  return JSON.stringify({ "@graph": [waybill, shipment, ...lines.map(logisticsEvent)] });
}

const place = (code: string) => ({ "cargo:locationCodes": { "cargo:code": code } });
const weightOf = (written: string) => ({
  "cargo:numericalValue": Number.parseFloat(written),
  "cargo:unit": "KGM",
});

function endsOf(leg: string) {
  const [from = "", to = ""] = leg.split("-");
  return { "cargo:departureLocation": place(from), "cargo:arrivalLocation": place(to) };
}

function logisticsEvent(line: string): object {
  const [code, station = "", date, ...rest] = line.split(" ");
  const movement: Record<string, unknown> = {};
  const event: Record<string, unknown> = { "@type": "cargo:LogisticsEvent", "cargo:eventCode": code };
  if (station !== "-") event["cargo:eventLocation"] = place(station);
  if (date !== "-") event["cargo:eventDate"] = date;
  const times: object[] = [];
  for (const word of rest) {
    const [, key = "", type = "", value = ""] =
      /^(dep|arr|created|type)=([AES](?=\d))?(.+)$/.exec(word) ?? [];
    if (key === "dep" || key === "arr") {
      const milestone = `${type}${key === "dep" ? "D" : "A"}`;
      times.push({ "cargo:movementMilestone": milestone, "cargo:movementTimestamp": value });
    } else if (key === "created") event["cargo:creationDate"] = value;
    else if (key === "type") event["cargo:eventTimeType"] = value;
    else if (/^[TP]\d+$/.test(word)) {
      event["cargo:partialEventIndicator"] = word.startsWith("P");
      event["cargo:recordedPieceCount"] = Number(word.slice(1));
    } else if (word.endsWith("kg")) event["cargo:recordedWeight"] = weightOf(word);
    else if (/^[A-Z]{3}-[A-Z]{3}$/.test(word)) Object.assign(movement, endsOf(word));
    else {
      assert.match(word, /^[A-Z\d]{2}\d{1,5}[A-Z]?$/, `${line}: ${word}`);
      movement["cargo:transportIdentifier"] = word;
    }
  }
  if (times.length > 0) movement["cargo:movementTimes"] = times;
  if (Object.keys(movement).length === 0) return event;
  return {
    ...event,
    "cargo:transportMovementReference": { "@type": "cargo:TransportMovement", ...movement },
  };
}

const check = createEventDataCheck(products);
const AIRLINE: Airline = { name: "Falcon", iata: "F8", prefixes: ["020"], sources: [{ kind: "push" }] };

for (const sequence of readSequences(new URL("sequences/", import.meta.url))) {
  test(`spec 2.6, 6.4: ${sequence.name}`, async () => {
    assert.ok(hasValidCheckDigit(sequence.awb), "the waybill's check digit");
    const read = await readerOf(sequence);
    for (const look of sequence.looks) {
      const said = await read(look);
      if (look.shown === null) continue;
      const { shown, timeline, raises } = said;
      const compared = look.timeline === null ? null : timeline;
      assert.deepEqual(
        { shown, raises, timeline: compared },
        { shown: look.shown, raises: look.raises, timeline: look.timeline },
        `look of ${look.time}`,
      );
    }
  });
}

type Seen = { readonly shown: string; readonly raises: readonly string[]; readonly timeline: string };

/** Reads looks in their order, as the poller does: the answer, and every message so far. */
async function readerOf({ awb, looks }: Sequence) {
  const firstMs = Date.parse(looks.find(({ shown }) => shown !== null)?.time ?? "");
  const claimed = {
    ...{ id: "w", accountId: "a", reference: awb, endedAt: null },
    createdAt: new Date(firstMs),
  } as unknown as ClaimedShipment;
  const pushed = new Map<string, readonly WaybillStatement[]>();
  let stored: string | null = null;
  let knownDigest: Buffer | null = null;

  return async (look: Look): Promise<Seen> => {
    const nowMs = Date.parse(look.time);
    if (look.source === "push") storePushed(pushed, look.said, nowMs, awb);
    if (look.shown === null) return { shown: "", raises: [], timeline: "" };
    const answer = await answerOf(look, awb, knownDigest);
    if (answer?.kind === "statement") knownDigest = answer.digest;
    const statements = [
      ...(answer?.kind === "statement" ? [answer.statement] : []),
      ...[...pushed.values()].flat(),
    ];
    const { known, events } = reduceStatements(check, claimed, AIRLINE, statements, stored, nowMs);
    stored = known.record;
    const record = readWaybillRecord(known.record);
    if (record.said.length === 0) return { shown: "nothing known", raises: [], timeline: "" };
    const view = waybillView(awb, AIRLINE, record);
    const { status, origin, destination, pieces, weight_kg, flight_number, eta, eta_is_actual } = view;
    const etaText = eta === null ? "-" : minutesOf(eta) + (eta_is_actual ? " actual" : "");
    for (const { data } of events) {
      const { origin: from, destination: to, awb: of } = JSON.parse(data) as Record<string, unknown>;
      assert.deepEqual([of, from, to], [awb, origin, destination], `data of the event of ${look.time}`);
    }
    return {
      shown: [
        status,
        `${origin ?? ""}-${destination ?? ""}`,
        pieces ?? "-",
        weight_kg ?? "-",
        flight_number ?? "-",
        etaText,
      ].join(", "),
      raises: events.map(({ type, data }) => raisedText(type, JSON.parse(data) as Record<string, string>)),
      timeline: view.events
        .map(({ code, station, at }) => `${code} ${station ?? "-"} ${at === null ? "-" : minutesOf(at)}`)
        .join("; "),
    };
  };
}

/** As messages are stored: a text once, and what each of its messages says once. */
function storePushed(
  pushed: Map<string, readonly WaybillStatement[]>,
  text: string,
  nowMs: number,
  awb: string,
): void {
  const bytes = Buffer.from(text);
  const digest = digestOf(bytes);
  if (pushed.has(digest)) return;
  const known = [...pushed.values()].flat().map(({ message = "" }) => message);
  const statements = saidIn(readMessages(bytes, nowMs), orderedFrom(nowMs)).filter(
    ({ message }) => !isKnown(message, known),
  );
  // Stored as text: what has no JSON is lost here, too.
  pushed.set(
    digest,
    JSON.parse(JSON.stringify(statements.filter((said) => said.awb === awb))) as readonly WaybillStatement[],
  );
}

async function answerOf(look: Look, awb: string, knownDigest: Buffer | null): Promise<AirlineAnswer | null> {
  const clock = manualClock(Date.parse(look.time));
  const saidMs = Date.parse(look.time);
  const answered = (status: number, body: string): UpstreamAnswer => ({
    ...{ kind: "answered", status, body },
    header: () => null,
  });
  if (look.source === "fsa") {
    const reply = () => Promise.resolve(answered(200, look.said));
    const source = { kind: "fsr", url: "https://imp.falcon.example/status" } as const;
    const answer = await fetchStatus({ get: reply, post: reply }, { source, awb, knownDigest }, false, clock);
    if (answer.kind !== "statement") return answer;
    return { ...answer, statement: { ...answer.statement, saidMs, answer: "fsr" } };
  }
  if (look.source === "one-record") {
    const source = { kind: "one-record", objectUrl: "https://1r.falcon.example/awb-{awb}" } as const;
    const graph = oneRecordGraph(look.said, awb);
    const get = (url: URL) =>
      Promise.resolve(url.pathname.endsWith(awb) ? answered(200, graph) : answered(404, ""));
    const answer = await fetchRecord(get, { source, awb, knownDigest }, clock);
    if (answer.kind !== "statement") return answer;
    return { ...answer, statement: { ...answer.statement, saidMs, answer: "one-record" } };
  }
  return null;
}

function minutesOf(isoTime: string): string {
  return isoTime.replace(/:\d{2}(?:\.\d+)?Z$/, "Z");
}

function raisedText(type: string, data: Record<string, string | number | null>): string {
  const { status, event_date_time, event_local_datetime, event_timezone } = data;
  assert.match(String(status), /^[a-z_ ]+$/, "spec 6.4: lower case");
  const zone = String(event_timezone ?? "no zone");
  const local = `${String(event_local_datetime).slice(0, 16)} ${zone}`;
  return `${type.replace("awb_", "")} ${minutesOf(String(event_date_time))} (${local})`;
}
