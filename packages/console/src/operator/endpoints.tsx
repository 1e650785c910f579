/** Endpoints of all accounts, and one of them. */
import { useMemo, useState } from "preact/hooks";

import { endpointColumns, EndpointFacts, EndpointView, OnOff } from "../pages/endpoint.tsx";
import { Chart, type Line } from "../ui/chart.tsx";
import { Found, Shown, useData, usePages } from "../ui/data.tsx";
import { Choice, Search, Switch, useFilter } from "../ui/fields.tsx";
import { count } from "../ui/numbers.ts";
import { Empty, Head, Note, Section } from "../ui/parts.tsx";
import { changeQuery, Link } from "../ui/route.tsx";
import { ListSection, Table, DataSection } from "../ui/table.tsx";
import { addressOf, ask, type Endpoint, type EndpointHealth } from "./answers.ts";
import { ACCOUNT, ownerOf } from "./columns.tsx";
import { AccountField, OF_ENDPOINT } from "./deliveries.tsx";
import { useLive } from "./live.ts";

const PRODUCT = { name: "Product", of: ({ product }: Endpoint) => product };

export const OF_ALL = endpointColumns<Endpoint>("/console/endpoints", [ACCOUNT, PRODUCT]);
export const OF_ACCOUNT = endpointColumns<Endpoint>("/console/endpoints", [PRODUCT]);

const STATES = [
  ["", "Any state"],
  ["off", "Off"],
  ["failing", "Failing"],
  ["active", "Active"],
] as const;

export function Endpoints() {
  const { tick } = useLive();
  const { filter, isFiltered } = useFilter("state", "product", "account_id");
  const found = usePages(
    addressOf("/v1/endpoints", { ...filter, limit: 100 }),
    ({ endpoints }) => endpoints,
    tick,
  );
  return (
    <>
      <Head title="Endpoints" about="Where deliveries go, over all accounts, newest first." />
      <Search label="Endpoints">
        <Choice name="State" of={filter.state} options={STATES} set={(state) => changeQuery({ state })} />
        <ProductSelect of={filter.product} />
        <AccountField of={filter.account_id} />
      </Search>
      <ListSection
        title="Found endpoints"
        label="Endpoints"
        of={found}
        columns={OF_ALL}
        none={
          <Empty title="No endpoint matches">
            {isFiltered
              ? "Widen the filter above."
              : "Clients register endpoints with their key: POST /{product}/v1/webhooks."}
          </Empty>
        }
      />
    </>
  );
}

/** The products that this service has had something of. */
export function ProductSelect({ of }: { readonly of: string }) {
  const { status } = useLive();
  const names = new Set([...(status?.products ?? []), of]);
  names.delete("");
  const options = [["", "Any product"] as const, ...[...names].map((name) => [name, name] as const)];
  return <Choice name="Product" of={of} options={options} set={(product) => changeQuery({ product })} />;
}

const RECENT_MAX = 20;

export function EndpointPage({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const [enabled, setEnabled] = useState(0);
  const endpoint = useData(addressOf("/v1/endpoints/{id}", { id }), tick + enabled);
  // The list of an endpoint that is not there is empty, and would be asked for again and again.
  const isGone = endpoint.failure?.status === 404;
  const recent = useData(
    addressOf("/v1/deliveries", { endpoint_id: id, limit: RECENT_MAX }),
    isGone ? null : tick + enabled,
  );
  const failed = recent.value?.deliveries.find((one) => one.last_error !== null);
  return (
    <Found of={endpoint} name="endpoint">
      {(found) => (
        <EndpointView
          of={found}
          lastError={failed?.last_error ?? null}
          paused="Its owner has paused it."
          stopped=", so Boathook stopped sending."
          events={{
            at: "/console/events",
            of: { account_id: found.account_id, product: found.product },
          }}
          actions={
            !found.active && (
              <OnOff
                of={found}
                set={() => ask("POST /v1/endpoints/{id}/enable", { id })}
                onSet={() => setEnabled(enabled + 1)}
              />
            )
          }
        >
          <Section title="Endpoint">
            <EndpointFacts of={found} own={ownerOf(found)} />
          </Section>
          <Health id={id} />
          <DataSection
            title="Recent deliveries"
            aside={<Link to={`/console/deliveries?endpoint_id=${id}`}>All of this endpoint</Link>}
            of={recent}
            rowsOf={(answer) => answer.deliveries}
            columns={OF_ENDPOINT}
            none={
              <Empty title="Nothing has been sent here yet">
                It gets what is raised for its account from now on, while it is active.
              </Empty>
            }
          />
        </EndpointView>
      )}
    </Found>
  );
}

const RANGES = [
  ["day", "Day"],
  ["week", "Week"],
  ["month", "Month"],
] as const;

type Range = (typeof RANGES)[number][0];

/** How an endpoint's attempts ended, over time. */
function Health({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const [range, setRange] = useState<Range>("day");
  const health = useData(addressOf("/v1/endpoints/{id}/health", { id, range }), tick);
  return (
    <Section
      title="Health"
      aside={
        <Switch legend="The chart shows the last" name="health" of={range} options={RANGES} set={setRange} />
      }
    >
      {health.value === null && health.failure === null && <p class="chart-empty loading">Loading…</p>}
      {health.value === null && health.failure !== null && <Shown of={health}>{() => null}</Shown>}
      {health.value !== null && <Outcomes of={health.value} />}
    </Section>
  );
}

function Outcomes({ of }: { readonly of: EndpointHealth }) {
  const times = useMemo(() => of.steps.map(({ at }) => Date.parse(at) / 1_000), [of]);
  const lines = useMemo(
    (): readonly Line[] => [
      { name: "delivered", color: 3, values: of.steps.map(({ delivered }) => delivered) },
      { name: "failed attempts", color: 5, values: of.steps.map(({ failed }) => failed) },
    ],
    [of],
  );
  return (
    <>
      {!of.is_complete && (
        <Note kind="info" isStill>
          It had so many deliveries that only the newest are counted.
        </Note>
      )}
      <Chart title="Attempts" times={times} lines={lines} format={count} />
      {of.failures.length > 0 && (
        <Table
          label="Why attempts failed"
          rows={of.failures}
          columns={[
            { name: "Failure", isWide: true, of: ({ code }) => <code>{code}</code> },
            { name: "Attempts", isNumber: true, of: ({ attempts }) => count(attempts) },
          ]}
        />
      )}
    </>
  );
}
