/**
 * A request → what a carrier's feed answers at a moment: access, spells, the standards' own parameters, pages. The
 * cursor of an answer holds all that was asked for, and the moment, so that its pages are of one answer.
 */
import { issueToken, refusalOf, type GuardedApi } from "../world/access.ts";
import { answerInOutage, problem, type Answer } from "../world/answer.ts";
import type { LinerCarrier, LinerFeed } from "./carriers.ts";
import { pageOf, vesselSchedulesOf } from "./vessel-schedules.ts";
import { feedOutageAt } from "./outages.ts";
import { daysOf, type LinerTrade, type FeedQuery } from "./trade.ts";
import { writePage } from "./dcsa-writer.ts";

export type LinerRequest = {
  readonly method: string;
  readonly url: URL;
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Of a token request. */
  readonly form: URLSearchParams;
};

/** `GET /{feed}` and `POST /{scac}/token`. */
export function answerOf(
  trade: LinerTrade,
  { method, url, headers, form }: LinerRequest,
  nowMs: number,
  speed: number,
): Answer {
  const [, name = "", rest] = url.pathname.split("/");
  if (method === "POST") {
    const carrier = trade.carriers.find(({ scac }) => scac === name);
    if (carrier === undefined || rest !== "token") return problem(404, "no such carrier", nowMs);
    return issueToken(guardOf(carrier), form, nowMs, speed);
  }
  for (const carrier of trade.carriers) {
    const feed = carrier.feeds.find((one) => one.name === name);
    if (feed !== undefined) {
      return refusalOf(guardOf(carrier), headers, nowMs) ?? answerOfFeed(trade, carrier, feed, url, nowMs);
    }
  }
  return problem(404, "no such feed", nowMs);
}

function guardOf({ scac, access }: LinerCarrier): GuardedApi {
  return { code: scac, access };
}

type Cursor = { readonly query: string; readonly atMs: number; readonly page: number };

function answerOfFeed(
  trade: LinerTrade,
  carrier: LinerCarrier,
  feed: LinerFeed,
  url: URL,
  nowMs: number,
): Answer {
  const cursor = readCursor(url);
  if (cursor === "wrong") return problem(400, "the cursor is not one of this API", nowMs);
  const others = new URLSearchParams(url.searchParams);
  others.delete("cursor");
  const travelsAlone = feed.kind === "ovs-service-schedules";
  if (cursor !== null && (travelsAlone ? others.size > 0 : others.toString() !== cursor.query)) {
    return problem(400, travelsAlone ? "a cursor travels alone" : "keep to what was asked for first", nowMs);
  }
  const page = cursor?.page ?? 0;
  const spell = feedOutageAt(trade.seed, feed, nowMs);
  if (spell !== null && (spell.kind !== "truncated" || page > 0)) {
    return answerInOutage({ ...spell, kind: spell.kind === "truncated" ? "failing" : spell.kind }, nowMs);
  }
  const query = cursor?.query ?? others.toString();
  const asOfMs = cursor?.atMs ?? nowMs;
  const question = parseQuery(new URLSearchParams(query), feed, asOfMs);
  if (typeof question === "string") return problem(400, question, nowMs);
  const sheets = vesselSchedulesOf(trade.reports(carrier, feed, question, asOfMs));
  const next = (page + 1) * feed.pageVessels < sheets.length ? { query, atMs: asOfMs, page: page + 1 } : null;
  return {
    status: 200,
    headers: {
      "content-type": "application/json",
      "api-version": travelsAlone ? "3.0.2" : "1.0.3",
      ...(next === null ? {} : { "next-page-cursor": writeCursor(next) }),
    },
    body: JSON.stringify(writePage(carrier, feed, pageOf(sheets, feed, page))),
  };
}

function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function readCursor(url: URL): Cursor | "wrong" | null {
  const written = url.searchParams.get("cursor");
  if (written === null) return null;
  try {
    return JSON.parse(Buffer.from(written, "base64url").toString()) as Cursor;
  } catch {
    return "wrong";
  }
}

/** A text: what is wrong with it. */
function parseQuery(
  query: URLSearchParams,
  { kind, daysAhead }: LinerFeed,
  nowMs: number,
): FeedQuery | string {
  const isByPort = kind === "cs-port-schedules";
  const [from, until] = isByPort ? [query.get("date"), null] : [query.get("startDate"), query.get("endDate")];
  const asked = {
    service: query.get("carrierServiceCode"),
    port: query.get("UNLocationCode"),
    vessel: query.get("vesselIMONumber"),
  };
  if (from === null || (until === null && !isByPort)) return "the days are missing";
  if (Number.isNaN(Date.parse(from)) || (until !== null && Number.isNaN(Date.parse(until)))) {
    return "a day is none";
  }
  if (isByPort && asked.port === null) return "UNLocationCode is missing";
  if (kind === "cs-vessel-schedules" && asked.service === null && asked.vessel === null) {
    return "carrierServiceCode or vesselIMONumber is missing";
  }
  return { ...asked, ...daysOf(from, until, daysAhead, nowMs) };
}
