/**
 * Sequences of messages as people write them, in `sequences/`. A paragraph is one sequence:
 *
 *     # its title (020-12345675)
 *     @ 2026-11-15T09:50Z push            a time and a source: push, fsa, one-record or none
 *     FSU/14 …                            what the source says
 *     = In transit, FRA-JFK, 10, 250.5, LH400, 2026-11-15T18:05Z actual
 *     = raises arrived 2026-11-15T17:58Z (2026-11-15T12:58 America/New_York)
 *     = timeline RCS FRA 2026-11-14T16:15Z; DEP FRA 2026-11-15T09:42Z
 *     = why a reason where it is not obvious
 *
 * The first line is what a client reads: status, ends, pieces, kilograms, flight, ETA. Nothing is raised where no
 * line says so. What is pushed without any of these lines is stored, and read with the next.
 *
 * ONE Record is short: `waybill HKG-LHR 9 450kg`, then a line an event with code, station, date, and in any order
 * `T9` or `P4` (whole or part), weight, flight, leg, `dep=A…`, `arr=E…`, `created=…`, `type=PLANNED`.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";

export type Sequence = {
  readonly name: string;
  /** Eleven digits. */
  readonly awb: string;
  readonly looks: readonly Look[];
};

export type Look = {
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

export function readSequences(folder: URL): readonly Sequence[] {
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
export function oneRecordGraph(said: string, awb: string): string {
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
