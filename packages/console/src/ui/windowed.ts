/**
 * Which rows of a long table are in the page: those near the screen, and the one with the focus. Rows come in blocks,
 * whose heights are measured while they are shown; a gap has the height of the blocks that it stands for.
 */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { stretchesOf, type Stretch } from "./stretches.ts";

/** Rows of a block. */
export const BLOCK_ROWS = 20;
/** A table of at most so many rows is in the page as a whole. */
export const WHOLE_ROWS_MAX = 100;
/** The row of names is the first: `aria-rowindex` of a row, less its place. */
export const ROWS_ABOVE = 2;
/** How far beyond the screen rows are kept, so that tabbing and scrolling find them. */
const BEYOND_PX = 500;
/** A little scrolling changes nothing. */
const STEP_PX = 250;
/** Until a block has been measured. */
const ROW_PX = 41;
/** Browsers do not scroll further than 2^24 px: gaps of a longer table are less high than their rows. */
const TABLE_PX_MAX = 15_000_000;

type TableRef = RefObject<HTMLTableElement | null>;
/** What is near the screen, from the top of the table. */
type Seen = { readonly topPx: number; readonly bottomPx: number };

/** The stretches of a table's rows, as the reader scrolls. A shown row has its `aria-rowindex` and its `data-key`. */
export function useWindowed<Row>(
  table: TableRef,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Stretch[] {
  const measured = useRef(new Map<number, number>());
  const isLong = rows.length > WHOLE_ROWS_MAX;
  const seen = useSeen(table, isLong, () => measured.current.clear());
  const held = isLong && table.current !== null ? heldIn(table.current) : null;
  useLayoutEffect(() => {
    if (!isLong || table.current === null) return;
    if (held !== null) hold(held, table.current);
    keepWidths(table.current);
    measure(table.current, measured.current);
  });
  const blocks = Math.ceil(rows.length / BLOCK_ROWS);
  const whole = { from: 0, to: blocks, isGap: false, heightPx: 0 };
  if (!isLong) return blocks === 0 ? [] : [whole];
  // By its key: rows that come above change its place.
  const keys = new Set([held?.focused, held?.first].map((row) => row?.dataset["key"]));
  const pinned = rows.flatMap((row, place) => (keys.has(keyOf(row)) ? [Math.floor(place / BLOCK_ROWS)] : []));
  return stretchesOf(heightsOf(measured.current, rows.length), seen.topPx, seen.bottomPx, pinned);
}

/** What must not change for the reader: the focus, and the row at the top of the screen. */
type Held = {
  readonly active: HTMLElement | null;
  readonly focused: HTMLElement | null;
  /** Null: the reader is above the first row. */
  readonly first: HTMLElement | null;
  readonly firstTopPx: number;
};

function heldIn(table: HTMLTableElement): Held {
  const active = document.activeElement;
  const isInside = active instanceof HTMLElement && table.contains(active);
  const isAbove = table.getBoundingClientRect().top >= 0;
  const rows = isAbove ? [] : [...table.querySelectorAll<HTMLElement>("tr[data-key]")];
  const below = rows.find((row) => row.getBoundingClientRect().bottom > 0);
  const first = below !== undefined && below.getBoundingClientRect().top < innerHeight ? below : null;
  return {
    active: isInside ? active : null,
    focused: isInside ? active.closest<HTMLElement>("tr[data-key]") : null,
    first,
    firstTopPx: first?.getBoundingClientRect().top ?? 0,
  };
}

/** Rows that are moved in the document lose the focus, and rows that come above push the others down. */
function hold({ active, first, firstTopPx }: Held, table: HTMLTableElement): void {
  if (active !== null && active !== document.activeElement && table.contains(active))
    active.focus({ preventScroll: true });
  if (first === null || !first.isConnected) return;
  const movedPx = first.getBoundingClientRect().top - firstTopPx;
  if (Math.abs(movedPx) >= 1) scrollBy({ top: movedPx, behavior: "instant" });
}

function heightsOf(measured: ReadonlyMap<number, number>, rows: number): readonly number[] {
  const known = [...measured.values()];
  const averagePx =
    known.length === 0 ? BLOCK_ROWS * ROW_PX : known.reduce((sum, one) => sum + one, 0) / known.length;
  const blocks = Math.ceil(rows / BLOCK_ROWS);
  const lastRows = rows - (blocks - 1) * BLOCK_ROWS;
  const heights = Array.from({ length: blocks }, (_, block) =>
    block === blocks - 1 ? (averagePx * lastRows) / BLOCK_ROWS : (measured.get(block) ?? averagePx),
  );
  const part = TABLE_PX_MAX / heights.reduce((sum, one) => sum + one, 0);
  return part < 1 ? heights.map((px) => px * part) : heights;
}

/** Of whole blocks: a last one grows. */
function measure(table: HTMLTableElement, measured: Map<number, number>): void {
  let top = { block: -1, px: 0 };
  for (const row of table.querySelectorAll<HTMLElement>("tr[aria-rowindex]")) {
    const place = Number(row.getAttribute("aria-rowindex")) - ROWS_ABOVE;
    const block = Math.floor(place / BLOCK_ROWS);
    if (place < 0 || (place % BLOCK_ROWS !== 0 && (place + 1) % BLOCK_ROWS !== 0)) continue;
    const { top: topPx, bottom: bottomPx } = row.getBoundingClientRect();
    if (place % BLOCK_ROWS === 0) top = { block, px: topPx };
    else if (top.block === block) measured.set(block, bottomPx - top.px);
  }
}

/** Columns stay as wide as the first rows made them: they would change with the rows that are shown. */
function keepWidths(table: HTMLTableElement): void {
  const whole = table.offsetWidth;
  const names = [...table.querySelectorAll<HTMLElement>("thead th")];
  const widths = names.map(({ offsetWidth: px }) => px);
  // On a narrow screen the names are hidden, and rows are cards.
  if (widths.includes(0) || getComputedStyle(table).tableLayout === "fixed") return;
  names.forEach((name, nth) => {
    name.style.width = `${(100 * widths[nth]!) / whole}%`;
  });
  table.style.tableLayout = "fixed";
}

function useSeen(table: TableRef, isLong: boolean, onWidth: () => void): Seen {
  const [seen, setSeen] = useState<Seen>({ topPx: 0, bottomPx: BEYOND_PX });
  useEffect(() => {
    if (!isLong) return undefined;
    let frame = 0;
    let width = innerWidth;
    let isPrinted = false;
    const look = (): void => {
      frame = 0;
      const at = table.current;
      if (at === null || isPrinted) return;
      if (width !== innerWidth) onWidth();
      width = innerWidth;
      const next = seenOf(at);
      setSeen((before) => (before.topPx === next.topPx && before.bottomPx === next.bottomPx ? before : next));
    };
    const soon = (): void => void (frame ||= requestAnimationFrame(look));
    // Paper has no screen: all rows that are loaded are printed.
    const all = (): void => {
      isPrinted = true;
      setSeen({ topPx: 0, bottomPx: Infinity });
    };
    const printed = (): void => {
      isPrinted = false;
      look();
    };
    look();
    addEventListener("beforeprint", all);
    addEventListener("afterprint", printed);
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("beforeprint", all);
      removeEventListener("afterprint", printed);
      removeEventListener("scroll", soon);
      removeEventListener("resize", soon);
    };
  }, [isLong]);
  return seen;
}

function seenOf(table: HTMLTableElement): Seen {
  const topPx = -table.getBoundingClientRect().top;
  const inStep = (px: number): number => Math.round(px / STEP_PX) * STEP_PX;
  return { topPx: inStep(topPx - BEYOND_PX), bottomPx: inStep(topPx + innerHeight + BEYOND_PX) };
}
