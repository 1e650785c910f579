/** An account's containers: what somebody should act on first, then all of them. */
import { usePages } from "../../ui/data.tsx";
import { Choice, Search, TextField, useFilter } from "../../ui/fields.tsx";
import { Badge, Empty, Head } from "../../ui/parts.tsx";
import { changeQuery, Link } from "../../ui/route.tsx";
import { ListSection, TableSection, type Column } from "../../ui/table.tsx";
import { daysFrom, Moment } from "../clocks.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import type { Container, Tracking } from "./answers.ts";
import { Track } from "./actions.tsx";
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
    <TableSection
      title="Needs attention"
      aside={rows.length === 0 ? <Badge tone="good">Nothing</Badge> : <Badge tone="warn">{count}</Badge>}
      rows={rows}
      columns={ATTENTION_COLUMNS}
      none={
        <p class="quiet">
          No customs hold, no wrong port, no free time that ends, no reference without an answer.
        </p>
      }
    />
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
    width: "32%",
    of: (one) => (
      <>
        <StatusBadge of={one.status} /> <Reasons of={one} />
      </>
    ),
  },
  { name: "Carrier", width: 88, of: ({ carrier }) => carrier || <span class="quiet">–</span> },
  {
    name: "Arrival",
    width: "26%",
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
  const { tick, mayChange } = useProductPlace();
  const { filter, isFiltered } = useFilter("status", "carrier", "reference");
  const found = usePages(
    useClient<Tracking>().addressOf("/v1/containers", { ...filter, limit: PAGE }),
    ({ data }) => data,
    tick,
  );
  return (
    <>
      <Search label="Containers">
        <TextField
          name="Reference"
          of={filter.reference}
          hint="container, bill of lading or booking"
          set={(reference) => changeQuery({ reference })}
        />
        <Choice
          name="Status"
          of={filter.status}
          options={[["", "Any status"], ...STATUS_NAMES]}
          set={(status) => changeQuery({ status })}
        />
        <TextField
          name="Carrier"
          class=""
          of={filter.carrier}
          hint="SCAC, such as MAEU"
          set={(carrier) => changeQuery({ carrier: carrier.toUpperCase() })}
        />
      </Search>
      <ListSection
        title="All containers"
        label="Containers"
        class="fixed"
        of={found}
        columns={COLUMNS}
        none={
          <Empty title={isFiltered ? "No container matches" : "Nothing is tracked yet"}>
            {isFiltered
              ? "Widen the filter above. A reference must be written in full."
              : mayChange
                ? "Track the first one above: a container number, a bill of lading or a booking."
                : "This account's clients track with their key: POST /tracking/v1/containers."}
          </Empty>
        }
      />
    </>
  );
}
