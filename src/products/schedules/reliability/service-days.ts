/**
 * Works out, once each UTC day has ended, how well services kept their schedules over the window that ends with it.
 * Every node may: what one has written, the others leave, and only who writes a service's day tells of its fall.
 */
import {
  advanceReliability,
  insertServiceDays,
  readReliabilityDay,
  readServiceWindows,
  type ServiceWindowRow,
} from "../store/service-reliability.ts";
import { broadcast, type SchedulePorts, type ScheduleSettings } from "../events/broadcasting.ts";
import { measureServiceDay } from "./reliability.ts";
import { utcDay } from "../../../model/instant.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** Services of one transaction. */
const PAGE_MAX = 500;
/** Days that are caught up with; after a longer absence those before are passed over. */
const DAYS_MAX = 31;

/** All days up to yesterday, in their order. */
export async function computeServiceDays(
  ports: SchedulePorts,
  settings: ScheduleSettings,
  nowMs: number,
): Promise<void> {
  const { database, cells } = ports;
  const until = await readReliabilityDay(database, cells[0]);
  const days = daysSince(until, nowMs);
  for (const day of days) {
    let behind: ServiceWindowRow | null = null;
    let goesOn = true;
    while (goesOn) {
      const page: readonly ServiceWindowRow[] = await computePage(ports, settings, day, behind, nowMs);
      behind = page.at(-1) ?? null;
      goesOn = page.length === PAGE_MAX;
    }
    await advanceReliability(database, cells[0], day);
  }
}

/** The first that there ever is is yesterday. */
function daysSince(until: string | null, nowMs: number): readonly string[] {
  const days = until === null ? 1 : DAYS_MAX;
  const last = Array.from({ length: days }, (_, ago) => utcDay(nowMs - (ago + 1) * DAY_MS)).toReversed();
  return last.filter((day) => until === null || day > until);
}

async function computePage(
  ports: SchedulePorts,
  { reliability }: ScheduleSettings,
  day: string,
  behind: ServiceWindowRow | null,
  nowMs: number,
): Promise<readonly ServiceWindowRow[]> {
  const { database, cells } = ports;
  const after = utcDay(Date.parse(day) - reliability.windowDays * DAY_MS);
  const [page, events] = await database.transaction(async (tx) => {
    const windows = await readServiceWindows(tx, cells[0], { after, until: day }, behind, PAGE_MAX);
    const worked = windows.map((window) => ({ window, ...measureServiceDay(window, day, reliability) }));
    const rows = worked.map(({ window, reference }) => ({ ...window, reference }));
    const written = await insertServiceDays(tx, cells[0], day, rows);
    const own = new Set(written.map(({ carrier, service }) => `${carrier} ${service}`));
    const drafts = worked.flatMap(({ window: { carrier, service }, draft }) =>
      draft !== null && own.has(`${carrier} ${service}`) ? [draft] : [],
    );
    await broadcast(tx, ports, drafts, nowMs);
    return [windows, drafts.length] as const;
  });
  if (events > 0) ports.wake();
  return page;
}
