/** Which changelog entries a cell has announced, and the date from which it announces them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  announcementStart,
  recordAnnouncement,
} from "../../src/freight/announcements/store/announcements.ts";
import { storeRows, timeOf } from "./store-rows.ts";

describe("announcements in the store", () => {
  const rows = storeRows((of) => of.run("truncate cell.announcements, cell.announcing"));

  test("a cell announces entries dated on or after the day of its first call", async () => {
    const since = (today: string) => announcementStart(rows.database, rows.cell, today);
    assert.equal(await since("2026-11-02"), "2026-11-02");
    assert.equal(await since("2026-11-03"), "2026-11-02");
    assert.equal(await since("2026-11-01"), "2026-11-02");
  });

  test("an entry is announced once, and keeps its time", async () => {
    const note = (entry: string, atMs: number) =>
      recordAnnouncement(rows.database, rows.cell, entry, timeOf(atMs));
    assert.deepEqual([await note("a", 1), await note("a", 2), await note("b", 3)], [true, false, true]);
    assert.deepEqual(await rows.read("select entry_id, announced_at from cell.announcements order by 1"), [
      ["a", 1],
      ["b", 3],
    ]);
  });
});
