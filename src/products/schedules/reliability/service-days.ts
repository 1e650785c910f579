/**
 * Once a UTC day has ended, measures how well services kept their schedules over the window that ends with it. Any
 * node may: the first to write a service's day also raises its event.
 */
import { readReliabilityDay, type ServiceWindowRow } from "../store/service-reliability.ts";
import { broadcast, type SchedulePorts, type ScheduleSettings } from "../events/broadcasting.ts";
import { measureServiceDay } from "./reliability.ts";
import { utcDay } from "../../../model/instant.ts";
import { DAY_MS } from "../../../runtime/durations.ts";
import { reliabilityAdvance, serviceDayInsert, serviceWindowList } from "../store/reliability.sql.ts";
import { FIRST_SERVICE } from "../store/schedules-read.ts";

/** Services of one transaction. */
const PAGE_MAX = 500;
/** Missed days to measure; after a longer absence, earlier days are skipped. */
const DAYS_MAX = 31;

/** All days up to yesterday, in order. */
export async function computeServiceDays(
  ports: SchedulePorts,
  settings: ScheduleSettings,
  nowMs: number,
): Promise<void> {
  const { database, cell } = ports;
  const until = await readReliabilityDay(database, cell);
  for (const day of daysSince(until, nowMs)) {
    let last: ServiceWindowRow | null = null;
    let hasMore = true;
    while (hasMore) {
      const page: readonly ServiceWindowRow[] = await computePage(ports, settings, day, last, nowMs);
      last = page.at(-1) ?? null;
      hasMore = page.length === PAGE_MAX;
    }
    await reliabilityAdvance(database, cell, day);
  }
}

/** The first day ever is yesterday. */
function daysSince(until: string | null, nowMs: number): readonly string[] {
  const days = until === null ? 1 : DAYS_MAX;
  const last = Array.from({ length: days }, (_, ago) => utcDay(nowMs - (ago + 1) * DAY_MS)).toReversed();
  return last.filter((day) => until === null || day > until);
}

async function computePage(
  ports: SchedulePorts,
  { reliability }: ScheduleSettings,
  day: string,
  last: ServiceWindowRow | null,
  nowMs: number,
): Promise<readonly ServiceWindowRow[]> {
  const { database, cell } = ports;
  const after = utcDay(Date.parse(day) - reliability.windowDays * DAY_MS);
  const [page, events] = await database.transaction(async (tx) => {
    const windows = await serviceWindowList(tx, cell, {
      after,
      until: day,
      behind: last ?? FIRST_SERVICE,
      limit: PAGE_MAX,
    });
    const results = windows.map((window) => ({ window, ...measureServiceDay(window, day, reliability) }));
    const rows = results.map(({ window, reference }) => ({ ...window, reference }));
    const written = await serviceDayInsert(tx, cell, { day, services: rows });
    const own = new Set(written.map(({ carrier, service }) => `${carrier} ${service}`));
    const drafts = results.flatMap(({ window: { carrier, service }, draft }) =>
      draft !== null && own.has(`${carrier} ${service}`) ? [draft] : [],
    );
    await broadcast(tx, ports, drafts, nowMs);
    return [windows, drafts.length] as const;
  });
  if (events > 0) ports.wake();
  return page;
}
