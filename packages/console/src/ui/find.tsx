/** One search for everything: its box in the frame of every page, and the page of what it finds. */
import { useEffect } from "preact/hooks";

import type { Data } from "./data.tsx";
import { Shown } from "./data.tsx";
import { useTyped } from "./fields.tsx";
import { Empty, Head } from "./parts.tsx";
import { go, Link, usePlace } from "./route.tsx";
import { TableSection, type Column } from "./table.tsx";
import { Time } from "./time.tsx";

/** What the operator's and the client's `GET /v1/find` answer. */
export type Finding = {
  readonly kind: "account" | "key" | "shipment" | "endpoint" | "delivery" | "event" | "event_type";
  readonly id: string;
  readonly title: string;
  readonly about: string | null;
  readonly product: string | null;
  readonly endpoint_id: string | null;
  readonly at: string | null;
};

export type Found<One extends Finding> = {
  readonly understood: string;
  readonly not_understood: string | null;
  readonly has_more: boolean;
  readonly findings: readonly One[];
};

/** A shorter text says too little. */
const TEXT_LENGTH_MIN = 3;

/** `/` leads to it from anywhere. `address`: of the page of what it finds. */
export function FindBox({ address }: { readonly address: string }) {
  const { path, query } = usePlace();
  const input = useTyped(path === address ? (query.get("q") ?? "") : "");
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const { target } = event;
      const isTyping = target instanceof HTMLElement && target.matches("input, select, textarea");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.select();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  return (
    <form
      class="find"
      role="search"
      aria-label="Everything"
      onSubmit={(event) => {
        event.preventDefault();
        const text = input.current?.value.trim() ?? "";
        const to = `${address}?q=${encodeURIComponent(text)}`;
        if (text.length >= TEXT_LENGTH_MIN) go(to, to === location.pathname + location.search);
      }}
    >
      <input
        ref={input}
        type="search"
        aria-label="Find"
        placeholder="Find"
        title="A container, bill or waybill; an id; a name; a URL; an event type. / leads here."
        spellcheck={false}
        minLength={TEXT_LENGTH_MIN}
        required
      />
    </form>
  );
}

const KINDS: readonly (readonly [kind: Finding["kind"], title: string])[] = [
  ["account", "Accounts"],
  ["key", "Keys"],
  ["shipment", "Shipments and plans"],
  ["endpoint", "Endpoints"],
  ["event", "Events"],
  ["delivery", "Deliveries"],
  ["event_type", "Event types"],
];

type FindingsProps<One extends Finding> = {
  readonly of: Data<Found<One>>;
  /** Null: it has no page of its own. */
  readonly linkOf: (one: One) => string | null;
  /** What only one role sees. */
  readonly columns?: readonly Column<One>[];
};

export function Findings<One extends Finding>({ of, linkOf, columns = [] }: FindingsProps<One>) {
  const { query } = usePlace();
  const shown: readonly Column<One>[] = [
    { name: "What", of: (one) => <Titled of={one} to={linkOf(one)} /> },
    { name: "How it is", isWide: true, of: ({ about }) => about ?? "" },
    ...columns,
    { name: "Product", of: ({ product }) => product ?? "" },
    { name: "When", of: ({ at }) => (at === null ? "" : <Time at={at} />) },
  ];
  return (
    <>
      <Head
        title={`Found for ${query.get("q") ?? ""}`}
        about={of.value === null ? undefined : lookedFor(of.value)}
      />
      <Shown of={of}>
        {({ findings }) => (
          <>
            {findings.length === 0 && (
              <Empty title="Nothing is found">
                A container, a bill or a waybill that is tracked is found by its whole number, and what was
                raised for it by the first four signs, too.
              </Empty>
            )}
            {KINDS.map(([kind, title]) => {
              const rows = findings.filter((one) => one.kind === kind);
              return rows.length === 0 ? null : (
                <TableSection key={kind} title={title} rows={rows} columns={shown} />
              );
            })}
          </>
        )}
      </Shown>
    </>
  );
}

function lookedFor({ understood, not_understood: not, has_more: hasMore }: Found<Finding>): string {
  const more = hasMore ? " There is more: the newest ten of each kind are here." : "";
  return `Looked for ${understood}.${not === null ? "" : ` It is not ${not}.`}${more}`;
}

function Titled({ of: { title }, to }: { readonly of: Finding; readonly to: string | null }) {
  return to === null ? <>{title}</> : <Link to={to}>{title}</Link>;
}
