/** An account's containers: what somebody should act on first, then all of them. */
import { withQuery } from "../../ui/api.ts";
import { Listed, usePages } from "../../ui/data.tsx";
import { Badge, Empty, Head, Section, Table, type Column } from "../../ui/parts.tsx";
import { go, Link, usePlace } from "../../ui/route.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import type { Container, Tracking } from "./answers.ts";
import { daysFrom, Moment } from "./times.tsx";
import { Track } from "./track.tsx";
import { Reasons, STATUS_NAMES, StatusBadge } from "./words.tsx";

const PAGE = 100;
const ATTENTION_MAX = 20;

export function ContainerList() {
  const { mayChange } = useProductPlace();
  return (
    <>
      <Head
        title="Containers"
        about="Containers, bills of lading and bookings that this account tracks, newest first."
      />
      {mayChange && <Track />}
      <Attention />
      <All />
    </>
  );
}

/** What Boathook finds, and what no carrier answers for. */
function Attention() {
  const { addressOf } = useClient<Tracking>();
  const found = useProduct(addressOf("/v1/containers", { attention: "true", limit: ATTENTION_MAX }));
  const pending = useProduct(addressOf("/v1/containers", { status: "pending", limit: PAGE }));
  const all = found.value?.data ?? null;
  const failing = (pending.value?.data ?? []).filter(({ last_failure: failure }) => failure !== null);
  if (all === null) return null;
  const rows = [...all, ...failing].slice(0, ATTENTION_MAX);
  const count = `${all.length + failing.length}${all.length === ATTENTION_MAX ? "+" : ""}`;
  return (
    <Section
      title="Needs attention"
      aside={rows.length === 0 ? <Badge tone="good">Nothing</Badge> : <Badge tone="warn">{count}</Badge>}
      class="attention"
    >
      {rows.length === 0 ? (
        <p class="quiet">
          No customs hold, no wrong port, no free time that ends, no reference without an answer.
        </p>
      ) : (
        <Table label="Needs attention" rows={rows} keyOf={({ id }) => id} columns={ATTENTION_COLUMNS} />
      )}
    </Section>
  );
}

const ATTENTION_COLUMNS: readonly Column<Container>[] = [
  { name: "Why", of: (one) => <Reasons of={one} isAlone /> },
  { name: "Reference", of: (one) => <Reference of={one} /> },
  { name: "Status", of: ({ status }) => <StatusBadge of={status} /> },
  {
    name: "What happened",
    isWide: true,
    of: ({ last_failure: failure, eta }) =>
      failure?.message ?? (eta === null ? "" : <span class="quiet">Arrival {daysFrom(eta)}</span>),
  },
];

function Reference({ of: { id, reference } }: { readonly of: Container }) {
  const { pages } = useProductPlace();
  return (
    <Link to={`${pages}/${id}`} class="reference">
      {reference}
    </Link>
  );
}

const COLUMNS: readonly Column<Container>[] = [
  { name: "Reference", of: (one) => <Reference of={one} /> },
  {
    name: "Status",
    of: (one) => (
      <>
        <StatusBadge of={one.status} /> <Reasons of={one} />
      </>
    ),
  },
  { name: "Carrier", of: ({ carrier }) => carrier || <span class="quiet">–</span> },
  {
    name: "Arrival",
    of: ({ eta }) =>
      eta === null ? (
        <span class="quiet">–</span>
      ) : (
        <>
          <Moment at={eta} /> <span class="quiet">{daysFrom(eta)}</span>
        </>
      ),
  },
  { name: "Last answer", of: ({ refreshed_at: at }) => <Moment at={at} none="none yet" /> },
];

function All() {
  const { query } = usePlace();
  const { tick, mayChange } = useProductPlace();
  const filter = {
    status: query.get("status") ?? "",
    carrier: query.get("carrier") ?? "",
    reference: query.get("reference") ?? "",
  };
  const found = usePages(
    useClient<Tracking>().addressOf("/v1/containers", { ...filter, limit: PAGE }),
    ({ data }) => data,
    tick,
  );
  const isFiltered = Object.values(filter).some((value) => value !== "");
  return (
    <>
      <Filters filter={filter} />
      <Section title="All containers">
        <Listed
          of={found}
          empty={
            <Empty title={isFiltered ? "No container matches" : "Nothing is tracked yet"}>
              {isFiltered
                ? "Widen the filter above. A reference must be written in full."
                : mayChange
                  ? "Track the first one above: a container number, a bill of lading or a booking."
                  : "This account's clients track with their key: POST /tracking/v1/containers."}
            </Empty>
          }
        >
          {(rows, isCut) => (
            <Table
              label="Containers"
              class="clipped containers"
              rows={rows}
              isCut={isCut}
              columns={COLUMNS}
              keyOf={({ id }) => id}
            />
          )}
        </Listed>
      </Section>
    </>
  );
}

type Filter = Readonly<Record<"status" | "carrier" | "reference", string>>;

function Filters({ filter }: { readonly filter: Filter }) {
  const { path } = usePlace();
  const change = (part: Partial<Filter>): void => go(withQuery(path, { ...filter, ...part }), true);
  return (
    <form class="filters" role="search" aria-label="Containers" onSubmit={(event) => event.preventDefault()}>
      <label class="grow">
        Reference
        <input
          value={filter.reference}
          placeholder="container, bill of lading or booking"
          spellcheck={false}
          onChange={({ currentTarget }) => change({ reference: currentTarget.value.trim() })}
        />
      </label>
      <label>
        Status
        <select
          value={filter.status}
          onChange={({ currentTarget }) => change({ status: currentTarget.value })}
        >
          <option value="">Any status</option>
          {STATUS_NAMES.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Carrier
        <input
          value={filter.carrier}
          placeholder="SCAC, such as MAEU"
          spellcheck={false}
          onChange={({ currentTarget }) => change({ carrier: currentTarget.value.trim().toUpperCase() })}
        />
      </label>
    </form>
  );
}
