/** Tables, alone and as sections of a page. */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

import { Shown, Trouble, type Data, type Pages } from "./data.tsx";
import { Empty, More, Section, type SectionProps } from "./parts.tsx";
import { BLOCK_ROWS, ROWS_ABOVE, useWindowed, WHOLE_ROWS_MAX } from "./windowed.ts";

export type Column<Row> = {
  readonly name: string;
  readonly of: (row: Row) => ComponentChildren;
  /** Numbers stand at the right. */
  readonly isNumber?: true;
  /** The column that may be cut where the table is narrow. */
  readonly isWide?: true;
  /** In pixels or per cent, of a table whose columns do not move. */
  readonly width?: number | `${number}%`;
  /** Stands above the column in place of its name. */
  readonly title?: ComponentChildren;
};

type Shape<Row> = {
  readonly columns: readonly Column<Row>[];
  /** By default the row's id, or else all that it says. */
  readonly keyOf?: (row: Row) => string;
  readonly class?: string;
};

export type TableProps<Row> = Shape<Row> & {
  readonly label: string;
  readonly rows: readonly Row[];
  /** More rows follow that are not loaded. */
  readonly isCut?: boolean;
};

/**
 * A table of any length: rows far from the screen are not in the page; each that is says its number, and the table how
 * many there are. On a narrow screen each row becomes a card, and each cell says its column. The roles say that it is a
 * table even then.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, columns, keyOf = idOf, isCut = false } = props;
  const table = useRef<HTMLTableElement>(null);
  const stretches = useWindowed(table, rows, keyOf);
  const isLong = rows.length > WHOLE_ROWS_MAX;
  return (
    <table
      ref={table}
      class={`${isLong ? "long " : ""}${props.class ?? ""}`}
      aria-label={label}
      role="table"
      {...(isLong ? { "aria-rowcount": isCut ? -1 : rows.length + 1 } : {})}
    >
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((one) => (
            <th
              key={one.name}
              scope="col"
              role="columnheader"
              class={kindOf(one)}
              style={{ width: typeof one.width === "number" ? `${one.width}px` : one.width }}
            >
              {one.title ?? one.name}
            </th>
          ))}
        </tr>
      </thead>
      {/* One body and keys of rows: a row stays the same element while others come above it. */}
      <tbody role="rowgroup">
        {stretches.flatMap(({ from, to, isGap, heightPx }) =>
          isGap
            ? [
                <tr key={`gap ${from}`} class="gap" aria-hidden="true">
                  <td colSpan={columns.length} style={{ height: `${heightPx}px` }} />
                </tr>,
              ]
            : rows.slice(from * BLOCK_ROWS, to * BLOCK_ROWS).map((row, nth) => (
                <tr
                  key={`row ${keyOf(row)}`}
                  role="row"
                  data-key={keyOf(row)}
                  {...(isLong ? { "aria-rowindex": from * BLOCK_ROWS + nth + ROWS_ABOVE } : {})}
                >
                  {columns.map((one) => (
                    <td key={one.name} role="cell" class={kindOf(one)} data-name={one.name}>
                      <div class="cell">{one.of(row)}</div>
                    </td>
                  ))}
                </tr>
              )),
        )}
      </tbody>
    </table>
  );
}

function idOf(row: unknown): string {
  const { id } = row as { readonly id?: string };
  return id ?? JSON.stringify(row);
}

function kindOf({ isNumber, isWide }: Pick<Column<never>, "isNumber" | "isWide">): string {
  return isNumber === true ? "number" : isWide === true ? "wide" : "";
}

type OfSection<Row> = Shape<Row> &
  Pick<SectionProps, "title" | "aside"> & {
    /** As it is called, where that is not the title of its section. */
    readonly label?: string;
    /** Instead of the table where it has no row. */
    readonly none?: ComponentChildren;
    /** Above the table. */
    readonly children?: ComponentChildren;
  };

type RowsProps<Row> = OfSection<Row> & { readonly rows: readonly Row[]; readonly isCut?: boolean };

/** A section that is a table. */
export function TableSection<Row>(props: RowsProps<Row>) {
  return (
    <Section title={props.title} aside={props.aside}>
      {props.children}
      <TableOrNone {...props} />
    </Section>
  );
}

function TableOrNone<Row>({ title, label = title, none, rows, ...table }: RowsProps<Row>) {
  if (rows.length === 0 && none !== undefined) return none;
  return <Table {...table} label={label} rows={rows} />;
}

type DataProps<Row, Answer> = OfSection<Row> & {
  readonly of: Data<Answer>;
  readonly rowsOf: (answer: Answer) => readonly Row[];
};

/** A table of what a route answers. */
export function DataSection<Row, Answer>({ of, rowsOf, ...table }: DataProps<Row, Answer>) {
  return (
    <Section title={table.title} aside={table.aside}>
      <Shown of={of}>{(answer) => <TableOrNone {...table} rows={rowsOf(answer)} />}</Shown>
    </Section>
  );
}

/** A list that grows as the reader scrolls. */
export function ListSection<Row>({ of, aside, ...table }: OfSection<Row> & { readonly of: Pages<Row> }) {
  const { items, failure, more, renew, isFlowing } = of;
  const newest = (
    <button type="button" onClick={renew ?? undefined}>
      Show the newest
    </button>
  );
  const none = more === null ? table.none : <Empty title="None among the newest">{ON_BELOW}</Empty>;
  return (
    <Section title={table.title} aside={renew === null ? aside : newest}>
      {table.children}
      <Trouble of={of} />
      {items === null && failure === null && <p class="loading">Loading…</p>}
      {items !== null && <TableOrNone {...table} none={none} rows={items} isCut={more !== null} />}
      {/* Each failure would ask for the next page at once. */}
      <More of={more} isByItself={isFlowing && failure === null} />
    </Section>
  );
}

const ON_BELOW = "Older ones may match: go on below.";
