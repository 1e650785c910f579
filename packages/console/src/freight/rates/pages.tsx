/** Freight rates: indices, what was loaded last, and all trade lanes. */
import "../freight.css";
import { usePages } from "../../ui/data.tsx";
import { Search, useFilter, CodeField } from "../../ui/fields.tsx";
import { Empty, Head, NoPage, Note, Section, Lines } from "../../ui/parts.tsx";
import { changeQuery, Link } from "../../ui/route.tsx";
import { DataSection, ListSection, type Column } from "../../ui/table.tsx";
import { Instant } from "../clocks.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import type { Lane, LoadedRate, Rates } from "./answers.ts";
import { IndexPage } from "./index-page.tsx";
import { LanePage } from "./lane-page.tsx";
import {
  amountText,
  carrierText,
  Change,
  Day,
  laneText,
  Money,
  offerText,
  LaneLink,
  Total,
} from "./rate-parts.tsx";

export function Pages({ rest }: { readonly rest: readonly string[] }) {
  const { pages } = useProductPlace();
  const [kind = "", id = ""] = rest;
  if (kind === "lanes" && id !== "") return <LanePage key={id} ends={id} />;
  if (kind === "indices" && id !== "") return <IndexPage key={id} id={id} />;
  return kind === "" ? <Rates /> : <NoPage to={pages} above="To the rates" />;
}

const FILTERS = ["origin", "destination", "equipment", "carrier", "kind", "contract", "commodity"] as const;
type Filter = Readonly<Record<(typeof FILTERS)[number], string>>;

function Rates() {
  const { tick } = useProductPlace();
  const { filter, isFiltered } = useFilter(...FILTERS);
  const found = usePages(useClient<Rates>().addressOf("/v1/lanes", filter), ({ data }) => data, tick);
  return (
    <div class="stack">
      <Head title="Rates" about="What a container costs on each trade lane today." />
      {!isFiltered && (
        <div class="columns">
          <Indices />
          <Loaded />
        </div>
      )}
      <Filters filter={filter} />
      {found.failure?.status === 403 ? (
        <Section title="Trade lanes">
          <Note kind="warn">
            {found.failure.message} The operator adds it: <code>freightrates</code>.
          </Note>
        </Section>
      ) : (
        <ListSection
          title="Trade lanes"
          class="fixed"
          of={found}
          columns={COLUMNS}
          none={
            isFiltered ? (
              <Empty title="No trade lane matches">Widen the filter above.</Empty>
            ) : (
              <Empty title="No rate is loaded yet">
                The operator loads a file: <code>npx boathook rates load rates.csv</code>
              </Empty>
            )
          }
        />
      )}
    </div>
  );
}

function Filters({ filter }: { readonly filter: Filter }) {
  const field = (name: keyof Filter, label: string, placeholder: string) => (
    <CodeField
      key={name}
      label={label}
      value={filter[name]}
      placeholder={placeholder}
      onCode={(code) => changeQuery({ [name]: code === "MARKET" ? "market" : code })}
    />
  );
  return (
    <Search label="Trade lanes">
      {field("origin", "From", "UN/LOCODE, such as CNSHA")}
      {field("destination", "To", "UN/LOCODE, such as NLRTM")}
      {field("equipment", "Box", "such as 40HC")}
      {field("carrier", "Carrier", "SCAC, or market")}
      {field("kind", "Kind", "contract, spot or none")}
      {field("contract", "Contract", "number or name")}
      {field("commodity", "Commodity", "such as FAK")}
    </Search>
  );
}

const COLUMNS: readonly Column<Lane>[] = [
  {
    name: "Lane",
    width: 176,
    of: (lane) => <LaneLink of={lane} />,
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
  { name: "Total", isNumber: true, of: (lane) => <Total of={lane} /> },
  { name: "Base", isNumber: true, of: ({ rate }) => (rate === null ? "" : amountText(rate.base)) },
  { name: "From", of: ({ rate }) => <Day of={rate?.valid_from ?? null} /> },
  { name: "To", of: ({ rate }) => <Day of={rate?.valid_to ?? null} none={rate === null ? "–" : "open"} /> },
];

function Indices() {
  const { pages } = useProductPlace();
  const indices = useProduct(useClient<Rates>().addressOf("/v1/indices"));
  return (
    <DataSection
      title="Indices"
      of={indices}
      rowsOf={({ data }) => data}
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
            <Lines below={currency}>
              <strong>{amountText(latest.value)}</strong>
            </Lines>
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
      none={
        <Empty title="There is no index yet">
          The operator defines one over a basket of lanes:{" "}
          <code>npx boathook rates index add index.json</code>
        </Empty>
      }
    />
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
  const loaded = useProduct(useClient<Rates>().addressOf("/v1/rates", { limit: LOADED_MAX }));
  return (
    <DataSection
      title="Loaded last"
      of={loaded}
      rowsOf={({ data }) => lastOfLanes(data)}
      columns={[
        {
          name: "Lane",
          of: (rate) => (
            <Lines below={`${rate.equipment}, ${laneText(rate)}`}>
              <LaneLink of={rate} />
            </Lines>
          ),
        },
        {
          name: "Total",
          isNumber: true,
          of: ({ total, currency, change_percent: percent }) => (
            <Lines below={<Change percent={percent} />}>
              <Money of={total} currency={currency} />
            </Lines>
          ),
        },
        {
          name: "Valid from",
          of: ({ valid_from: from, loaded_at: at }) => (
            <Lines
              below={
                <>
                  loaded <Instant at={at} />
                </>
              }
            >
              <Day of={from} />
            </Lines>
          ),
        },
      ]}
      none={<Empty title="Nothing yet" />}
    />
  );
}
