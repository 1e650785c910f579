/**
 * ONE Record over HTTP: a waybill's logistics object, its shipments, and the events of both.
 *
 *     object ─▶ its events ─▶ each shipment ─▶ the shipment's events ─▶ locations that all of them link to
 *
 * A list of events may have pages or link to its events; links are followed as they are found, but only on the
 * airline's own host, which the credentials must not leave.
 */
import { answerDateMs } from "../../../../freight/upstream/headers.ts";
import { createHash } from "node:crypto";

import type { Clock } from "../../../../runtime/clock.ts";
import { runInSlices, type SlicedWork } from "../../../../runtime/time-slices.ts";
import { withoutTrailingSlashes } from "../../../../runtime/trailing-slashes.ts";
import { parseJsonSteps } from "../../../../model/json.ts";
import { mergeHeaders } from "../../../../freight/upstream/headers.ts";
import { fillTemplate } from "../../../../freight/references/awb.ts";
import { noAnswerOf, unavailable, type NoAnswer } from "../../../../freight/upstream/no-answer.ts";
import type { UpstreamGet } from "../../../../freight/upstream/upstream.ts";
import { mergeStatements, type AirlineAnswer, type SourceRequest } from "../airline-answer.ts";
import type { OneRecordSource } from "../airlines/airline-schema.ts";
import { readRecord, type ReadRecord } from "./read.ts";

const TIMEOUT_MS = 15_000;
/** All answers together. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** A waybill has one shipment; some servers list parts of it. */
const SHIPMENTS_MAX = 3;
/** For one waybill; most servers need four. */
const OBJECTS_MAX = 100;
const PROBLEMS_MAX = 20;
const ACCEPT = "application/ld+json";

/** Never rejects: every outside failure is an answer. */
export async function fetchRecord(
  get: UpstreamGet,
  { source, awb, knownDigest }: SourceRequest<OneRecordSource>,
  clock: Clock,
): Promise<AirlineAnswer> {
  const reader = createObjectReader(get, source, awb, clock);
  const address = new URL(fillTemplate(source.objectUrl, awb));
  const object = await reader.read(address);
  if (isNoAnswer(object)) return object;
  if (object.isOtherWaybill) return unavailable("other_waybill");
  const records = [object];
  const shipments = object.shipments.flatMap((link) => onSameOrigin(link, address)).slice(0, SHIPMENTS_MAX);
  const parts = [eventsUrlOf(address), ...shipments.flatMap((shipment) => [shipment, eventsUrlOf(shipment)])];
  const urls = new Map([address, ...parts, ...linksOf(object, address)].map((url) => [url.href, url]));
  // Iterating a map includes entries added during the loop.
  for (const [, next] of urls) {
    if (next === address) continue;
    const record = await reader.read(next);
    // An object without events may have no list of them. Any other failure fails the whole answer.
    if (isNoAnswer(record) && record.kind !== "not_found") return record;
    if (isNoAnswer(record)) continue;
    records.push(record);
    for (const link of linksOf(record, next)) {
      if (urls.size < OBJECTS_MAX) urls.set(link.href, urls.get(link.href) ?? link);
    }
  }
  const located = await withLocations(reader, records, urls, address);
  if ("kind" in located) return located;
  const digest = reader.digest();
  const dateMs = reader.dateMs();
  if (knownDigest !== null && digest.equals(knownDigest)) return { kind: "unchanged", digest, dateMs };
  const statements = located.map((record) => record.statement);
  const statement = mergeStatements(awb, statements, "first");
  return { kind: "statement", statement, problems: problemsOf(located), dateMs, digest };
}

/** The records, read again with the locations that they only link to. */
async function withLocations(
  reader: ObjectReader,
  records: readonly ReadRecord[],
  urls: ReadonlyMap<string, URL>,
  address: URL,
): Promise<readonly ReadRecord[] | NoAnswer> {
  const links = records.flatMap(({ locations }) => locations.flatMap((link) => onSameOrigin(link, address)));
  const wanted = new Map(links.filter(({ href }) => !urls.has(href)).map((url) => [url.href, url]));
  const bodies: string[] = [];
  for (const url of [...wanted.values()].slice(0, OBJECTS_MAX - urls.size)) {
    const body = await reader.bodyOf(url);
    if (typeof body === "string") bodies.push(body);
    else if (body.kind !== "not_found") return body;
  }
  return bodies.length === 0 ? records : reader.readAgain(bodies);
}

/** Increment when answers are read in another way, so that all are read again. */
const PARSER_VERSION = 5;

/** Reads objects one by one; the time limit and the size limit hold for all of them together. */
function createObjectReader(get: UpstreamGet, source: OneRecordSource, awb: string, clock: Clock) {
  const deadlineMs = clock.monotonicMs() + (source.timeoutMs ?? TIMEOUT_MS);
  const hash = createHash("sha256").update(JSON.stringify(["one-record", PARSER_VERSION]));
  let bytesLeft = ANSWER_BYTES_MAX;
  let firstDateMs: number | null = null;
  let isStarted = false;
  const read: string[] = [];

  async function bodyOf(url: URL): Promise<string | NoAnswer> {
    const timeoutMs = deadlineMs - clock.monotonicMs();
    if (timeoutMs <= 0) return unavailable("timeout");
    const answer = await get(url, {
      headers: mergeHeaders({ accept: ACCEPT }, source.headers),
      timeoutMs,
      bodyBytesMax: bytesLeft,
      // A started answer waits for the quota as long as it can: given up, it would cost as much again.
      ...(isStarted ? { quotaWaitMsMax: timeoutMs } : {}),
    });
    isStarted = true;
    const failure = noAnswerOf(answer, clock.nowMs());
    if (failure !== null || answer.kind !== "answered") return failure ?? unavailable("connection");
    hash.update(`\n${url.href}\n${Buffer.byteLength(answer.body)}\n`).update(answer.body);
    bytesLeft -= Buffer.byteLength(answer.body);
    firstDateMs ??= answerDateMs(answer.header);
    return answer.status === 204 ? { kind: "not_found" } : answer.body;
  }

  return {
    bodyOf,
    async read(url: URL): Promise<ReadRecord | NoAnswer> {
      const body = await bodyOf(url);
      if (typeof body !== "string") return body;
      const record = await runInSlices(readBodies([body], awb), clock);
      if (record !== null) read.push(body);
      return record ?? unavailable("not_json_ld");
    },
    /** All that was read, each with the locations. */
    async readAgain(locations: readonly string[]): Promise<readonly ReadRecord[]> {
      const records: ReadRecord[] = [];
      for (const body of read) {
        const record = await runInSlices(readBodies([body, ...locations], awb), clock);
        if (record !== null) records.push(record);
      }
      return records;
    },
    digest: () => hash.copy().digest(),
    dateMs: () => firstDateMs,
  };
}

type ObjectReader = ReturnType<typeof createObjectReader>;

function* readBodies(
  [body = "", ...locations]: readonly string[],
  awb: string,
): SlicedWork<ReadRecord | null> {
  const value = yield* parseJsonSteps(body);
  if (locations.length === 0) return yield* readRecord(value, awb);
  const graph: unknown[] = [value];
  for (const location of locations) graph.push(yield* parseJsonSteps(location));
  return yield* readRecord(graph, awb);
}

function isNoAnswer(read: ReadRecord | NoAnswer): read is NoAnswer {
  return "kind" in read;
}

function eventsUrlOf(object: URL): URL {
  return new URL(`${withoutTrailingSlashes(object.pathname)}/logistics-events`, object.origin);
}

function linksOf({ furtherLinks }: ReadRecord, from: URL): readonly URL[] {
  return furtherLinks.slice(0, OBJECTS_MAX).flatMap((link) => onSameOrigin(link, from));
}

function onSameOrigin(link: string, address: URL): readonly URL[] {
  if (!URL.canParse(link, address.href)) return [];
  const url = new URL(link, address.href);
  return url.origin === address.origin ? [url] : [];
}

function problemsOf(records: readonly ReadRecord[]): readonly string[] {
  return records
    .flatMap(({ skipped }) => skipped)
    .slice(0, PROBLEMS_MAX)
    .map(({ index, reason }) => `event ${index}: ${reason}`);
}
