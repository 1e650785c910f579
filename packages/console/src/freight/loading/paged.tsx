/**
 * A part of a plan, a page at a time. It is no long list that a reader scrolls through: it stands beside the drawing, or
 * above it, which thousands of rows would push away, and turns to the row that the reader chooses there.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { count } from "../../ui/numbers.ts";

type PagedProps<Row> = {
  readonly of: readonly Row[];
  readonly size: number;
  readonly what: string;
  /** The row that must be seen. */
  readonly at?: number;
  readonly children: (rows: readonly Row[], first: number) => ComponentChildren;
};

export function Paged<Row>({ of, size, what, at = 0, children }: PagedProps<Row>) {
  const [page, setPage] = useState(0);
  useEffect(() => setPage(Math.floor(Math.max(0, at) / size)), [at]);
  const last = Math.max(0, Math.ceil(of.length / size) - 1);
  const first = Math.min(page, last) * size;
  const rows = of.slice(first, first + size);
  return (
    <>
      {children(rows, first)}
      {last > 0 && (
        <div class="pager">
          <button type="button" disabled={first === 0} onClick={() => setPage(Math.min(page, last) - 1)}>
            Previous<span class="hidden"> {what}</span>
          </button>
          <span class="quiet">
            {count(first + 1)}–{count(first + rows.length)} of {count(of.length)} {what}
          </span>
          <button type="button" disabled={page >= last} onClick={() => setPage(page + 1)}>
            Next<span class="hidden"> {what}</span>
          </button>
        </div>
      )}
    </>
  );
}
