/** A request → what the line's API answers at a moment, let in and well as it is: filters and pages. */
import { json, problem, type Answer } from "../world/answer.ts";
import type { Line } from "./lines.ts";
import type { DcsaEvent } from "./dcsa-writer.ts";

/** 2.2 answers 404 for what it does not know, 3.0 an empty list. */
export function unknownTo(line: Line, atMs: number): Answer {
  if (line.version === "2.2") return problem(404, "no events are known for this reference", atMs);
  return jsonOf(line, { events: [] }, atMs);
}

export function pageOf(line: Line, events: readonly DcsaEvent[], url: URL, atMs: number): Answer {
  const limit = Math.min(wholeOf(url, "limit") || Infinity, line.paging?.events ?? Infinity);
  const from = wholeOf(url, "cursor");
  const shown = limit === Infinity && from === 0 ? events : events.slice(from, from + limit);
  const answer = jsonOf(line, line.envelope === null ? shown : { [line.envelope]: shown }, atMs);
  const next = from + limit;
  if (next >= events.length) return answer;
  return { ...answer, headers: { ...answer.headers, ...linkTo(line, url, String(next)) } };
}

function linkTo(line: Line, url: URL, cursor: string): Readonly<Record<string, string>> {
  if (line.version === "3.0") return { "next-page-cursor": cursor };
  if (line.paging?.by === "cursor") return { "next-page": cursor };
  const next = new URL(url.href);
  next.searchParams.set("cursor", cursor);
  return { "next-page": next.pathname + next.search };
}

function wholeOf(url: URL, name: string): number {
  const number = Number(url.searchParams.get(name) ?? 0);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

function jsonOf(line: Line, value: unknown, atMs: number): Answer {
  const { headers, ...rest } = json(200, value, atMs);
  return { ...rest, headers: { ...headers, "api-version": line.version === "3.0" ? "3.0.0" : "2.2.0" } };
}
