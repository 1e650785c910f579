import type { OpenedStore } from "../../../cli/context.ts";
import { OK } from "../../../freight/sources/source-log.ts";
import { noteSources } from "../../../freight/sources/store/sources.ts";

/** Notes what was loaded as the service notes what is loaded by its routes. */
export async function noteLoad(
  { database, cells, clock }: OpenedStore,
  source: string,
  lines: number,
  isRead: boolean,
): Promise<void> {
  const atMs = clock.nowMs();
  const last = { atMs, subject: `${lines} lines`, outcome: isRead ? OK : "unreadable" };
  const failed = isRead ? null : { atMs, failure: "unreadable" };
  const seen = { source, last, answeredAtMs: isRead ? atMs : null, failed, waits: null };
  await noteSources(database, cells[0], [{ ...seen, requests: 1, failures: isRead ? 0 : 1 }], atMs);
}
