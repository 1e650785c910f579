/**
 * A part of a plan, a page at a time. It is no long list that a reader scrolls through: it stands beside the drawing, or
 * above it, which thousands of rows would push away, and turns to the row that the reader chooses there.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { count } from "../../ui/numbers.ts";
import { Table, type TableProps } from "../../ui/table.tsx";

type PagerProps = {
  /** Of the first row that is shown, from 0. */
  readonly first: number;
  readonly shown: number;
  readonly isLast: boolean;
  /** "of 40 pieces" */
  readonly about?: string;
  readonly names: readonly [back: ComponentChildren, on: ComponentChildren];
  /** By one page. */
  readonly turn: (by: 1 | -1) => void;
};

export function Pager({ first, shown, isLast, about = "", names: [back, on], turn }: PagerProps) {
  if (first === 0 && isLast) return null;
  return (
    <div class="pager">
      <button type="button" disabled={first === 0} onClick={() => turn(-1)}>
        {back}
      </button>
      <span class="quiet">
        {count(first + 1)}–{count(first + shown)} {about}
      </span>
      <button type="button" disabled={isLast} onClick={() => turn(1)}>
        {on}
      </button>
    </div>
  );
}

type PagedProps<Row> = {
  readonly of: readonly Row[];
  readonly size: number;
  readonly what: string;
  /** The row that must be seen. */
  readonly at?: number | undefined;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
};

export function Paged<Row>({ of, size, what, at = 0, children }: PagedProps<Row>) {
  const [page, setPage] = useState(0);
  useEffect(() => setPage(Math.floor(Math.max(0, at) / size)), [at]);
  const last = Math.max(0, Math.ceil(of.length / size) - 1);
  const first = Math.min(page, last) * size;
  const rows = of.slice(first, first + size);
  return (
    <>
      {children(rows)}
      <Pager
        first={first}
        shown={rows.length}
        isLast={page >= last}
        about={`of ${count(of.length)} ${what}`}
        names={[
          <>
            Previous<span class="hidden"> {what}</span>
          </>,
          <>
            Next<span class="hidden"> {what}</span>
          </>,
        ]}
        turn={(by) => setPage(Math.min(page, last) + by)}
      />
    </>
  );
}

type PagedTableProps<Row> = Omit<PagedProps<Row>, "children"> &
  Pick<TableProps<Row>, "label" | "keyOf" | "columns">;

export function PagedTable<Row>({ of, size, what, at, ...table }: PagedTableProps<Row>) {
  return (
    <Paged of={of} size={size} what={what} at={at}>
      {(rows) => <Table {...table} rows={rows} />}
    </Paged>
  );
}

type RowButtonProps = {
  readonly isCurrent: boolean;
  readonly label?: string;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
};

/** Shows what a row is about. */
export function RowButton({ isCurrent, label, onClick, children }: RowButtonProps) {
  return (
    <button
      type="button"
      class="plain"
      {...(isCurrent ? { "aria-current": "true" as const } : {})}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
