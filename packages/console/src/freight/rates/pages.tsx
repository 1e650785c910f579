/** Freight rates: indices, what was loaded last, and all trade lanes. */
import "../freight.css";
import { withQuery } from "../../ui/api.ts";
import { Listed, usePages } from "../../ui/data.tsx";
import { Empty, Head, Note, Section, Table, type Column } from "../../ui/parts.tsx";
import { go, Link, usePlace } from "../../ui/route.tsx";
import { Instant } from "../clocks.tsx";
import { CodeField } from "../code-field.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import { laneAddress } from "./address.ts";
import type { Lane, LoadedRate, Rates } from "./answers.ts";
import { IndexPage } from "./index-page.tsx";
import { LanePage } from "./lane-page.tsx";
import { amountText, carrierText, Change, Day, laneText, Money, offerText } from "./money.tsx";

export function Pages({ rest }: { readonly rest: readonly string[] }) {
  const [kind = "", id = ""] = rest;
  if (kind === "lanes" && id !== "") return <LanePage key={id} ends={id} />;
  if (kind === "indices" && id !== "") return <IndexPage key={id} id={id} />;
  return <Rates />;
}

const FILTERS = ["origin", "destination", "equipment", "carrier", "kind", "contract", "commodity"] as const;
type Filter = Readonly<Record<(typeof FILTERS)[number], string>>;

function Rates() {
  const { query } = usePlace();
  const { pages, tick } = useProductPlace();
  const filter = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""])) as Filter;
  const isFiltered = FILTERS.some((name) => filter[name] !== "");
  const found = usePages(useClient<Rates>().addressOf("/v1/lanes", filter), ({ data }) => data, tick);
  return (
    <div class="rates stack">
      <Head title="Rates" about="What a container costs on each trade lane today." />
      {!isFiltered && (
        <div class="columns">
          <Indices />
          <Loaded />
        </div>
      )}
      <Filters filter={filter} />
      <Section title="Trade lanes">
        {found.failure?.status === 403 ? (
          <Note kind="warn">
            {found.failure.message} The operator adds it: <code>freightrates</code>.
          </Note>
        ) : (
          <Listed
            of={found}
            empty={
              isFiltered ? (
                <Empty title="No trade lane matches">Widen the filter above.</Empty>
              ) : (
                <Empty title="No rate is loaded yet">
                  The operator loads a file: <code>npx boathook rates load rates.csv</code>
                </Empty>
              )
            }
          >
            {(rows, isCut) => (
              <Table
                label="Trade lanes"
                class="clipped lanes"
                rows={rows}
                isCut={isCut}
                keyOf={({ id }) => id}
                columns={columnsOf(pages)}
              />
            )}
          </Listed>
        )}
      </Section>
    </div>
  );
}

function Filters({ filter }: { readonly filter: Filter }) {
  const { pages } = useProductPlace();
  const field = (name: keyof Filter, label: string, placeholder: string) => (
    <CodeField
      key={name}
      label={label}
      value={filter[name]}
      placeholder={placeholder}
      onCode={(code) =>
        go(withQuery(pages, { ...filter, [name]: code === "MARKET" ? "market" : code }), true)
      }
    />
  );
  return (
    <form class="filters" role="search" aria-label="Trade lanes" onSubmit={(event) => event.preventDefault()}>
      {field("origin", "From", "UN/LOCODE, such as CNSHA")}
      {field("destination", "To", "UN/LOCODE, such as NLRTM")}
      {field("equipment", "Box", "such as 40HC")}
      {field("carrier", "Carrier", "SCAC, or market")}
      {field("kind", "Kind", "contract, spot or none")}
      {field("contract", "Contract", "number or name")}
      {field("commodity", "Commodity", "such as FAK")}
    </form>
  );
}

function columnsOf(pages: string): readonly Column<Lane>[] {
  return [
    {
      name: "Lane",
      of: (lane) => (
        <Link to={laneAddress(pages, lane)}>
          {lane.origin} → {lane.destination}
        </Link>
      ),
    },
    { name: "Box", of: ({ equipment }) => equipment },
    {
      name: "Carrier",
      of: (lane) => (
        <>
          {carrierText(lane.carrier)}
          {offerText(lane) !== "" && <span class="second quiet">{offerText(lane)}</span>}
        </>
      ),
    },
    {
      name: "Total",
      isNumber: true,
      of: ({ rate, currency }) =>
        rate === null ? (
          <span class="quiet">no rate today</span>
        ) : (
          <>
            <Money of={rate.total} currency={currency} />
            {rate.layer === "promotion" && <span class="second quiet">promotion</span>}
          </>
        ),
    },
    { name: "Base", isNumber: true, of: ({ rate }) => (rate === null ? "" : amountText(rate.base)) },
    { name: "From", of: ({ rate }) => <Day of={rate?.valid_from ?? null} /> },
    { name: "To", of: ({ rate }) => <Day of={rate?.valid_to ?? null} none={rate === null ? "–" : "open"} /> },
  ];
}

function Indices() {
  const { pages } = useProductPlace();
  const { value, failure } = useProduct(useClient<Rates>().addressOf("/v1/indices"));
  if (failure !== null && value === null) return <Note kind="warn">{failure.message}</Note>;
  const indices = value?.data ?? [];
  return (
    <Section title="Indices">
      {value !== null && indices.length === 0 ? (
        <Empty title="There is no index yet">
          The operator defines one over a basket of lanes:{" "}
          <code>npx boathook rates index add index.json</code>
        </Empty>
      ) : (
        <Table
          label="Indices"
          rows={indices}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Index",
              isWide: true,
              of: ({ id, name }) => <Link to={`${pages}/indices/${id}`}>{name}</Link>,
            },
            {
              name: "Value",
              isNumber: true,
              of: ({ latest, currency }) => (
                <>
                  <strong>{amountText(latest.value)}</strong>
                  <span class="second quiet">{currency}</span>
                </>
              ),
            },
            {
              name: "Since the last",
              isNumber: true,
              of: ({ latest }) => <Change percent={latest.previous?.change_percent ?? null} />,
            },
            {
              name: "Four weeks",
              isNumber: true,
              of: ({ latest }) => <Change percent={latest.four_weeks_before?.change_percent ?? null} />,
            },
          ]}
        />
      )}
    </Section>
  );
}

const LANES_SHOWN_MAX = 6;
/** A file may have half a year of each lane. */
const LOADED_MAX = 100;

/** Of each lane the one that was loaded last. */
function lastOfLanes(rates: readonly LoadedRate[]): readonly LoadedRate[] {
  const byLane = new Map(rates.toReversed().map((rate) => [rate.lane_id, rate]));
  return [...byLane.values()].toReversed().slice(0, LANES_SHOWN_MAX);
}

function Loaded() {
  const { pages } = useProductPlace();
  const { value } = useProduct(useClient<Rates>().addressOf("/v1/rates", { limit: LOADED_MAX }));
  const rates = lastOfLanes(value?.data ?? []);
  return (
    <Section title="Loaded last">
      {value !== null && rates.length === 0 ? (
        <Empty title="Nothing yet" />
      ) : (
        <Table
          label="Loaded last"
          rows={rates}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Lane",
              of: (rate) => (
                <>
                  <Link to={laneAddress(pages, rate)}>
                    {rate.origin} → {rate.destination}
                  </Link>
                  <span class="second quiet">
                    {rate.equipment}, {laneText(rate)}
                  </span>
                </>
              ),
            },
            {
              name: "Total",
              isNumber: true,
              of: ({ total, currency, change_percent: percent }) => (
                <>
                  <Money of={total} currency={currency} />
                  <span class="second">
                    <Change percent={percent} />
                  </span>
                </>
              ),
            },
            {
              name: "Valid from",
              of: ({ valid_from: from, loaded_at: at }) => (
                <>
                  <Day of={from} />
                  <span class="second quiet">
                    loaded <Instant at={at} />
                  </span>
                </>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}
