import { usePages } from "../ui/data.tsx";
import { count } from "../ui/numbers.ts";
import { Head, Table, type Column } from "../ui/parts.tsx";
import { changeQuery, Link, usePlace } from "../ui/route.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type Endpoint, type Status } from "./answers.ts";
import { Found } from "./found.tsx";
import { useLive } from "./live.ts";
import { AccountLink, EndpointBadge } from "./states.tsx";

const ACCOUNT: Column<Endpoint> = {
  name: "Account",
  of: (endpoint) => <AccountLink of={endpoint} />,
};

const COLUMNS: readonly Column<Endpoint>[] = [
  { name: "State", of: (endpoint) => <EndpointBadge of={endpoint} /> },
  {
    name: "URL",
    isWide: true,
    of: ({ id, url }) => (
      <Link to={`/console/endpoints/${id}`} title={url}>
        {url}
      </Link>
    ),
  },
  ACCOUNT,
  { name: "Product", of: ({ product }) => product },
  { name: "Failures", isNumber: true, of: ({ failure_count: failures }) => count(failures) },
  { name: "Off since", of: ({ disabled_at: at }) => <Time at={at} /> },
  { name: "Missed", isNumber: true, of: ({ missed_events: missed }) => (missed === 0 ? "–" : count(missed)) },
  { name: "Last success", of: ({ last_delivery_at: at }) => <Time at={at} none="never" /> },
];

type EndpointTableProps = {
  readonly endpoints: readonly Endpoint[];
  readonly label: string;
  readonly isOfOne?: boolean;
};

export function EndpointTable({ endpoints, label, isOfOne = false }: EndpointTableProps) {
  const columns = isOfOne ? COLUMNS.filter((one) => one !== ACCOUNT) : COLUMNS;
  return <Table label={label} rows={endpoints} keyOf={({ id }) => id} columns={columns} />;
}

const STATES = [
  ["", "Any state"],
  ["off", "Off"],
  ["failing", "Failing"],
  ["active", "Active"],
] as const;

export function Endpoints() {
  const { query } = usePlace();
  const { tick } = useLive();
  const filter = {
    state: query.get("state") ?? "",
    product: query.get("product") ?? "",
    account_id: query.get("account_id") ?? "",
  };
  const found = usePages(
    addressOf("/v1/endpoints", { ...filter, limit: 100 }),
    ({ endpoints }) => endpoints,
    tick,
  );
  return (
    <>
      <Head title="Endpoints" about="Where deliveries go, over all accounts, newest first." />
      <form class="filters" role="search" aria-label="Endpoints" onSubmit={(event) => event.preventDefault()}>
        <label>
          State
          <select
            value={filter.state}
            onChange={({ currentTarget }) => changeQuery({ state: currentTarget.value })}
          >
            {STATES.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <ProductSelect value={filter.product} onChange={(product) => changeQuery({ product })} />
        <label class="grow">
          Account
          <input
            value={filter.account_id}
            placeholder="id of an account"
            spellcheck={false}
            onChange={({ currentTarget }) => changeQuery({ account_id: currentTarget.value.trim() })}
          />
        </label>
      </form>
      <Found
        title="Found endpoints"
        of={found}
        none="No endpoint matches"
        hint={
          Object.values(filter).some((value) => value !== "")
            ? "Widen the filter above."
            : "Clients register endpoints with their key: POST /{product}/v1/webhooks."
        }
      >
        {(endpoints) => <EndpointTable endpoints={endpoints} label="Endpoints" />}
      </Found>
    </>
  );
}

/** The products that this service has had something of. */
export function productsOf(status: Status | null): readonly string[] {
  return status?.products ?? [];
}

type ProductSelectProps = { readonly value: string; readonly onChange: (product: string) => void };

export function ProductSelect({ value, onChange }: ProductSelectProps) {
  const { status } = useLive();
  const known = productsOf(status);
  const names = value === "" || known.includes(value) ? known : [...known, value];
  return (
    <label>
      Product
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">Any product</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
