/** The pieces that pages are made of. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { BLOCK_ROWS, ROWS_ABOVE, useWindowed, WHOLE_ROWS_MAX } from "./windowed.ts";

export type Tone = "good" | "bad" | "warn" | "info" | "none";

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

type NoteProps = {
  readonly kind: "bad" | "warn" | "info" | "good";
  /** It belongs to the page and changes with it: it is not read out again each time. */
  readonly isStill?: boolean;
  readonly children: ComponentChildren;
};

/** Something that the reader should know now; read out when it appears. */
export function Note({ kind, isStill = false, children }: NoteProps) {
  const role = isStill ? "note" : kind === "bad" ? "alert" : "status";
  return (
    <div class={`note ${kind}`} role={role}>
      {children}
    </div>
  );
}

/** Nothing to show, and what to do about it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

type HeadProps = {
  readonly title: ComponentChildren;
  readonly badge?: ComponentChildren;
  readonly about?: ComponentChildren;
  readonly children?: ComponentChildren;
};

export function Head({ title, badge, about, children }: HeadProps) {
  return (
    <header class="head">
      <div class="head-text">
        <h1>
          <span class="head-title">{title}</span> {badge}
        </h1>
        {about !== undefined && <p class="quiet">{about}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  );
}

type SectionProps = {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
};

export function Section({ title, aside, children, ...others }: SectionProps) {
  const id = `s-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  return (
    <section class={`card ${others.class ?? ""}`} aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ of }: { readonly of: readonly Fact[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type StatProps = {
  readonly name: string;
  readonly value: string;
  readonly about?: ComponentChildren;
  readonly tone?: Tone;
};

export function Stat({ name, value, about, tone = "none" }: StatProps) {
  return (
    <div class={`stat ${tone}`}>
      <dt>{name}</dt>
      <dd>
        <span class="stat-value">{value}</span>
        <span class="stat-about quiet">{about}</span>
      </dd>
    </div>
  );
}

export type Column<Row> = {
  readonly name: string;
  readonly of: (row: Row) => ComponentChildren;
  /** Numbers stand at the right. */
  readonly isNumber?: true;
  /** The column that may be cut where the table is narrow. */
  readonly isWide?: true;
};

type TableProps<Row> = {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly class?: string;
  /** More rows follow that are not loaded. */
  readonly isCut?: boolean;
};

/**
 * A table of any length: rows far from the screen are not in the page; each that is says its number, and the table how
 * many there are. On a narrow screen each row becomes a card, and each cell says its column. The roles say that it is a
 * table even then.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, columns, keyOf, isCut = false } = props;
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
            <th key={one.name} scope="col" role="columnheader" class={kindOf(one)}>
              {one.name}
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

function kindOf({ isNumber, isWide }: Pick<Column<never>, "isNumber" | "isWide">): string {
  return isNumber === true ? "number" : isWide === true ? "wide" : "";
}

type MoreProps = {
  readonly of: (() => void) | null;
  /** Older ones come by themselves when the reader gets here. */
  readonly isByItself?: boolean;
};

export function More({ of, isByItself = false }: MoreProps) {
  const box = useRef<HTMLDivElement>(null);
  const isThere = of !== null;
  useEffect(() => {
    const at = box.current;
    if (!isByItself || of === null || at === null) return undefined;
    const near = new IntersectionObserver(([seen]) => seen?.isIntersecting === true && of(), {
      rootMargin: "400px",
    });
    near.observe(at);
    return () => near.disconnect();
  }, [isByItself, isThere, of]);
  if (of === null) return null;
  return (
    <div class="more" ref={box}>
      <button type="button" onClick={of}>
        Show older
      </button>
    </div>
  );
}
