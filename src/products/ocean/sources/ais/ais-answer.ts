/** An AIS feed's answer → the vessel's last report. */
import { readInstant } from "../../../../model/instant.ts";
import type { VesselPoint } from "../../store/vessels.ts";
import { readPoint } from "./vessel-point.ts";
import type { AisFeed } from "./ais-file.ts";
import { readImo, readNavigationalStatus } from "./navigational-status.ts";
import { MINUTE_MS } from "../../../../runtime/durations.ts";

export type VesselReport = {
  /** The navigational status of ITU-R M.1371: 0 under way, 1 at anchor, 5 moored … */
  readonly status: number;
  readonly seenMs: number;
  readonly position?: VesselPoint | null;
};

/** A vessel's last report, by its seven-digit IMO number; null if none is fresh. */
export type FindVesselReport = (imo: string) => VesselReport | null;

export type AisReading =
  | { readonly kind: "reported"; readonly report: VesselReport }
  /** The feed has no recent report. */
  | { readonly kind: "silent" }
  /** `problem` names a place in the answer, never its value. */
  | { readonly kind: "unreadable"; readonly problem: string };

/** Clocks differ by less. A report from the future would supersede all true ones. */
export const FUTURE_MS_MAX = 5 * MINUTE_MS;

export function readAisAnswer(body: string, imo: string, { fields }: AisFeed, nowMs: number): AisReading {
  if (body.trim() === "") return SILENT;
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return { kind: "unreadable", problem: "the answer is not JSON" };
  }
  const named = fields.imo === undefined ? undefined : at(answer, fields.imo);
  if (named !== undefined && named !== null && readImo(named) !== imo) return SILENT;
  const [status, time] = [at(answer, fields.status), at(answer, fields.at)];
  if (status === null || time === null) return SILENT;
  const read = readNavigationalStatus(status);
  if (read === null) return { kind: "unreadable", problem: `${fields.status} is not a navigational status` };
  const seenMs = readTime(time);
  if (seenMs === null) return { kind: "unreadable", problem: `${fields.at} is not a time` };
  if (seenMs > nowMs + FUTURE_MS_MAX) return { kind: "unreadable", problem: `${fields.at} is in the future` };
  return { kind: "reported", report: { status: read, seenMs, ...pointIn(answer, fields) } };
}

function pointIn(
  answer: unknown,
  { latitude, longitude, course }: AisFeed["fields"],
): Pick<VesselReport, "position"> {
  if (latitude === undefined || longitude === undefined) return {};
  const sent = [at(answer, latitude), at(answer, longitude)] as const;
  const point = readPoint(...sent, course === undefined ? null : at(answer, course));
  return point === "invalid" ? {} : { position: point };
}

const SILENT: AisReading = { kind: "silent" };

function isEmpty(answer: unknown): boolean {
  return answer === null || (typeof answer === "object" && Object.keys(answer).length === 0);
}

/** If the path gives no index, the first item of a list. Null: the path ends early; undefined: it does not fit. */
function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((found, name) => {
    if (isEmpty(found)) return null;
    const inside: unknown = Array.isArray(found) && !/^\d+$/.test(name) ? found[0] : found;
    return typeof inside === "object" && inside !== null && Object.hasOwn(inside, name)
      ? (inside as Readonly<Record<string, unknown>>)[name]
      : undefined;
  }, value);
}

/** Seconds since the epoch are fewer than this, milliseconds are more. */
const SECONDS_MAX = 100_000_000_000;

/** AIS times are UTC, also without a zone. */
function readTime(sent: unknown): number | null {
  if (typeof sent === "number") return sent > 0 ? (sent < SECONDS_MAX ? sent * 1_000 : sent) : null;
  if (typeof sent !== "string") return null;
  const text = sent.trim();
  if (/^\d{9,13}$/.test(text)) return readTime(Number(text));
  const zoned = text.replace(/^(\d{4}-\d{2}-\d{2}) /, "$1T").replace(/ ?(?:UTC|GMT|Z)$/i, "Z");
  return readInstant(/[Zz]$|[+-]\d{2}:\d{2}$/.test(zoned) ? zoned : `${zoned}Z`);
}
