/** What a long list shows, and what becomes of it when its newest page is read again. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { inOneLine } from "../../packages/console/src/freight/line.ts";
import { refreshed, withFirst, withNext } from "../../packages/console/src/ui/pages.ts";
import { stretchesOf } from "../../packages/console/src/ui/stretches.ts";

const items = (...ids: readonly number[]) => ids.map((id) => ({ id: String(id).padStart(4, "0") }));
const idsOf = ({ items: its }: { readonly items: readonly { readonly id: string }[] }) =>
  its.map(({ id }) => Number(id));

test("what was read further down stays, without a gap and without twice the same", () => {
  const known = { items: items(9, 8, 7, 6, 5, 4), next: "4" };
  const read = refreshed(known, { items: items(11, 10, 9), next: "9" }, true);
  assert.deepEqual(idsOf(read), [11, 10, 9, 8, 7, 6, 5, 4]);
  assert.deepEqual([read.next, read.isBehind], ["4", false]);
});

test("a list that somebody reads does not jump when more than a page is new: it says that there are newer ones", () => {
  const known = { items: items(9, 8, 7, 6), next: "6" };
  const first = { items: items(30, 29, 28), next: "28" };
  assert.deepEqual(refreshed(known, first, true), { ...known, isBehind: true });
  assert.deepEqual(refreshed(known, first, false), { ...first, isBehind: false });
});

test("a next page that was refused is missing until it comes, also where newer ones have moved it", () => {
  const failed = { isOfNext: true, failure: "refused" };
  const page = { items: items(9, 8), next: "8", isBehind: false };
  const listed = { page, failed, isReadOn: false, isFlowing: true };
  const moved = withFirst(listed, { items: items(10, 9), next: "9" }, false);
  assert.deepEqual([moved.page?.next, moved.failed], ["9", failed]);
  assert.equal(withFirst(listed, { items: items(10, 9), next: null }, false).failed, null, "none is next");
  assert.equal(withNext(page, failed, { items: items(7), next: null }).failed, null);
});

test("a first page that was refused is missing until it comes, though the next has come", () => {
  const failed = { isOfNext: false, failure: "refused" };
  const page = { items: items(9, 8), next: "8", isBehind: false };
  const on = withNext(page, failed, { items: items(7), next: null });
  assert.deepEqual([idsOf(on.page!), on.failed], [[9, 8, 7], failed]);
  assert.equal(withFirst(on, { items: items(9, 8), next: "8" }, false).failed, null);
});

test("a list in any order keeps what was read further down, once", () => {
  const known = { items: items(5, 9, 1, 7, 3, 8), next: "8" };
  const first = { items: items(4, 5, 7, 9), next: "9" };
  assert.deepEqual(idsOf(refreshed(known, first, true)), [4, 5, 7, 9, 1, 3, 8]);
});

test("a first page that is the last replaces all: what is gone goes", () => {
  const known = { items: items(9, 8, 7), next: null };
  assert.deepEqual(idsOf(refreshed(known, { items: items(9), next: null }, true)), [9]);
  assert.deepEqual(idsOf(refreshed(null, { items: [], next: "5" }, true)), []);
});

test("the stretches of a table are all of its blocks in order, as high as these, and show what is on the screen", () => {
  const heights = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 60 });
  const px = fc.integer({ min: -5_000, max: 90_000 });
  fc.assert(
    fc.property(
      heights,
      px,
      fc.nat(20_000),
      fc.array(fc.nat(59), { maxLength: 2 }),
      (all, topPx, sizePx, pinned) => {
        const bottomPx = topPx + sizePx;
        const stretches = stretchesOf(all, topPx, bottomPx, pinned);
        let [block, at] = [0, 0];
        for (const { from, to, isGap, heightPx } of stretches) {
          assert.equal(from, block);
          assert.equal(
            heightPx,
            all.slice(from, to).reduce((sum, one) => sum + one, 0),
          );
          const isPinned = pinned.some((one) => one >= from && one < to);
          const isOnScreen = at < bottomPx && at + heightPx > topPx;
          if (isGap) assert.ok(!isPinned && !isOnScreen);
          [block, at] = [to, at + heightPx];
        }
        assert.equal(block, all.length);
      },
    ),
  );
});

const at = (day: string | null) => ({ at: day === null ? null : `2026-11-${day}T00:00:00Z` });

test("what was raised stands before the first of what a source said that is later, whatever the source's order is", () => {
  const said = [at("01"), at(null), at("09"), at("05"), at("20")];
  const raised = ["25", "07", "05", "02"].map((day) => ({ id: day, created_at: `2026-11-${day}T00:00:00Z` }));
  const days = (isCut: boolean) =>
    inOneLine(said, raised, isCut).map((one) =>
      one.is === "said" ? one.said.at?.slice(8, 10) : `raised ${one.raised.id}`,
    );
  const whole = ["01", undefined, "raised 02", "raised 05", "raised 07", "09", "05", "20", "raised 25"];
  assert.deepEqual(days(false), whole);
  assert.deepEqual(days(true), whole.slice(2), "of earlier days it is not known what was raised");
});
