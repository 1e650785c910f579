import { usePages } from "../ui/data.tsx";
import { Head, Table, type Column } from "../ui/parts.tsx";
import { changeQuery, Link, usePlace } from "../ui/route.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type Delivery } from "./answers.ts";
import { IdField, TextField } from "./fields.tsx";
import { Found } from "./found.tsx";
import { useLive } from "./live.ts";
import { AccountLink, DeliveryBadge, ErrorText, ShortId } from "./states.tsx";
import { TimeFilter } from "./time-filter.tsx";

const FIRST: readonly Column<Delivery>[] = [
  { name: "State", of: (delivery) => <DeliveryBadge of={delivery} /> },
  {
    name: "Delivery",
    of: ({ id }) => (
      <Link to={`/console/deliveries/${id}`}>
        <ShortId of={id} />
      </Link>
    ),
  },
];

const LAST: readonly Column<Delivery>[] = [
  { name: "Created", of: ({ created_at: at }) => <Time at={at} /> },
  { name: "Attempts", isNumber: true, of: ({ attempt_count: attempts }) => attempts },
  {
    name: "Outcome",
    isWide: true,
    of: ({ delivered_at: at, last_error: error, next_attempt_at: next, parked_until: until }) =>
      at !== null ? (
        <Time at={at} />
      ) : (
        <span>
          <ErrorText of={error} />
          {(until ?? next) !== null && (
            <span class="quiet">
              {" "}
              {until === null ? "Next attempt" : "Parked until"} <Time at={until ?? next} />
            </span>
          )}
        </span>
      ),
  },
];

const OF_ONE: readonly Column<Delivery>[] = [
  ...FIRST,
  { name: "Event", of: ({ event_type: type }) => type },
  ...LAST,
];

const OF_ALL: readonly Column<Delivery>[] = [
  ...FIRST,
  {
    name: "Event",
    of: ({ event_type: type, product }) => (
      <>
        {type} <span class="quiet">{product}</span>
      </>
    ),
  },
  { name: "Account", of: (delivery) => <AccountLink of={delivery} /> },
  {
    name: "Endpoint",
    isWide: true,
    of: ({ endpoint_id: id, url }) => (
      <Link to={`/console/endpoints/${id}`} title={url ?? ""}>
        {url ?? "removed since"}
      </Link>
    ),
  },
  ...LAST,
];

type DeliveryTableProps = {
  readonly deliveries: readonly Delivery[];
  readonly label: string;
  readonly isOfOne?: boolean;
  readonly isCut?: boolean;
};

export function DeliveryTable({ deliveries, label, isOfOne = false, isCut = false }: DeliveryTableProps) {
  const columns = isOfOne ? OF_ONE : OF_ALL;
  return (
    <Table
      class="dense"
      label={label}
      rows={deliveries}
      isCut={isCut}
      keyOf={({ id }) => id}
      columns={columns}
    />
  );
}

const STATUSES = ["pending", "delivered", "dead"] as const;

export function Deliveries() {
  const { query } = usePlace();
  const { tick } = useLive();
  const filter = {
    status: query.get("status") ?? "",
    type: query.get("type") ?? "",
    account_id: query.get("account_id") ?? "",
    endpoint_id: query.get("endpoint_id") ?? "",
    since: query.get("since") ?? "",
    until: query.get("until") ?? "",
  };
  const found = usePages(
    addressOf("/v1/deliveries", { ...filter, limit: 100 }),
    ({ deliveries }) => deliveries,
    tick,
  );
  const isFiltered = Object.values(filter).some((value) => value !== "");
  return (
    <>
      <Head title="Deliveries" about="What was sent and what waits, over all accounts, newest first." />
      <Filters filter={filter} />
      <Found
        title="Found deliveries"
        of={found}
        none="No delivery matches"
        hint={
          isFiltered
            ? "Widen the filter above. Deliveries are kept for 30 days unless a setting says otherwise."
            : "A delivery appears for each event that is raised for an account with an active, subscribed endpoint."
        }
      >
        {(deliveries, isCut) => <DeliveryTable deliveries={deliveries} isCut={isCut} label="Deliveries" />}
      </Found>
    </>
  );
}

type Filter = Readonly<Record<"status" | "type" | "account_id" | "endpoint_id" | "since" | "until", string>>;

function Filters({ filter }: { readonly filter: Filter }) {
  return (
    <form class="filters" role="search" aria-label="Deliveries" onSubmit={(event) => event.preventDefault()}>
      <IdField name="Delivery" to="/console/deliveries" />
      <label>
        Status
        <select
          value={filter.status}
          onChange={({ currentTarget }) => changeQuery({ status: currentTarget.value })}
        >
          <option value="">Any status</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {status}
            </option>
          ))}
        </select>
      </label>
      <TextField
        name="Event type"
        of={filter.type}
        hint="such as eta_changed"
        set={(type) => changeQuery({ type })}
      />
      <TextField
        name="Account"
        of={filter.account_id}
        hint="id of an account"
        set={(id) => changeQuery({ account_id: id })}
      />
      <TextField
        name="Endpoint"
        of={filter.endpoint_id}
        hint="id of an endpoint"
        set={(id) => changeQuery({ endpoint_id: id })}
      />
      <TimeFilter since={filter.since} until={filter.until} change={changeQuery} />
    </form>
  );
}
