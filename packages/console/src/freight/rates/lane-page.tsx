/** One pair of ports: its carriers' rates for a box over time, and each rate there was. */
import { useEffect, useMemo, useState } from "preact/hooks";

import { withQuery } from "../../ui/api.ts";
import { Chart, type Line } from "../../ui/chart.tsx";
import { Shown } from "../../ui/data.tsx";
import { Badge, Empty, Head, Section, Table } from "../../ui/parts.tsx";
import { go, Link, usePlace } from "../../ui/route.tsx";
import { Instant } from "../clocks.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import type { Lane, PastRate, Rates } from "./answers.ts";
import { amountText, Change, Day, laneText, Money, priceOf } from "./money.tsx";
import { Surcharges, Terms } from "./rate-parts.tsx";
import { stepsOf } from "./series.ts";

/** Of one pair; more than these are many carriers in many currencies. */
const LANES_MAX = 100;
/** The palette has no more colours that are told apart. */
const LINES_MAX = 6;
const HISTORY_MAX = 100;

export function LanePage({ ends }: { readonly ends: string }) {
  const { pages } = useProductPlace();
  const [origin = "", destination = ""] = ends.split("-");
  const lanes = useProduct(
    useClient<Rates>().addressOf("/v1/lanes", { origin, destination, limit: LANES_MAX }),
  );
  return (
    <div class="rates stack">
      <Head
        title={`${origin} → ${destination}`}
        about="One line for each carrier, contract and commodity; the market's rate is no single carrier's."
      >
        <Link to={pages} class="button">
          All rates
        </Link>
      </Head>
      <Shown of={lanes}>
        {({ data }) =>
          data.length === 0 ? (
            <Section title="Rates">
              <Empty title="There is no rate between these ports">
                Load one: <code>npx boathook rates load rates.csv</code>
              </Empty>
            </Section>
          ) : (
            <Pair lanes={data} />
          )
        }
      </Shown>
    </div>
  );
}

function Pair({ lanes }: { readonly lanes: readonly Lane[] }) {
  const { path, query } = usePlace();
  const kinds = [...new Set(lanes.map(kindOf))];
  const wanted = `${query.get("box") ?? ""} ${query.get("currency") ?? ""}`;
  const kind = kinds.find((one) => one === wanted) ?? kinds[0]!;
  const shown = lanes.filter((lane) => kindOf(lane) === kind);
  const choose = (one: string): void => {
    const [box = "", currency = ""] = one.split(" ");
    go(withQuery(path, { box, currency }), true);
  };
  const histories = useHistories(shown.slice(0, LINES_MAX));
  const chosen = shown.find(({ id }) => id === query.get("lane")) ?? shown[0]!;
  return (
    <>
      <Section
        title={`Total a container, ${kind}`}
        aside={<Kinds kinds={kinds} kind={kind} choose={choose} />}
      >
        <History lanes={shown.slice(0, LINES_MAX)} histories={histories} />
      </Section>
      <Section title="Today">
        <Table
          label="Today"
          rows={shown}
          keyOf={({ id }) => id}
          columns={todayColumns(histories, path, chosen.id)}
        />
      </Section>
      <Section title={`All rates, ${laneText(chosen)}`}>
        <AllRates lane={chosen} rates={histories.get(chosen.id) ?? null} />
      </Section>
    </>
  );
}

function kindOf({ equipment, currency }: Lane): string {
  return `${equipment} ${currency}`;
}

type KindsProps = {
  readonly kinds: readonly string[];
  readonly kind: string;
  readonly choose: (kind: string) => void;
};

function Kinds({ kinds, kind, choose }: KindsProps) {
  return (
    <fieldset class="switch">
      <legend class="hidden">Box and currency</legend>
      {kinds.map((one) => (
        <label key={one}>
          <input type="radio" name="kind" checked={one === kind} onChange={() => choose(one)} />
          <span>{one}</span>
        </label>
      ))}
    </fieldset>
  );
}

type Histories = ReadonlyMap<string, readonly PastRate[]>;

/** Of each lane, by its id, as they come. */
function useHistories(lanes: readonly Lane[]): Histories {
  const { routes, tick } = useProductPlace();
  const { ask } = useClient<Rates>();
  const [known, setKnown] = useState<Histories>(new Map());
  const ids = lanes.map(({ id }) => id).join();
  useEffect(() => {
    let isWanted = true;
    void Promise.all(
      lanes.map(async ({ id }) => {
        const answer = await ask("GET /v1/lanes/{id}/history", { id, limit: HISTORY_MAX });
        return [id, answer.ok ? answer.value.data : []] as const;
      }),
    ).then((found) => isWanted && setKnown(new Map(found)));
    return () => {
      isWanted = false;
    };
  }, [ids, routes, tick]);
  return known;
}

function History({ lanes, histories }: { readonly lanes: readonly Lane[]; readonly histories: Histories }) {
  const { times, lines } = useMemo(() => {
    const own = lanes.map(({ id }) => histories.get(id) ?? []);
    const { times: at, values } = stepsOf(own, Date.now());
    const named = lanes.map((lane, index): Line => ({
      name: laneText(lane),
      color: index + 1,
      values: values[index]!,
    }));
    return { times: at, lines: named };
  }, [histories]);
  if (histories.size === 0 || times.length < 2)
    return (
      <p class="chart-empty quiet">
        {histories.size === 0 ? "Loading…" : "A line needs a second rate: load the next one."}
      </p>
    );
  return <Chart title="Total a container" times={times} lines={lines} format={priceOf} axis="days" />;
}

/** The standard rate before the rate that holds. */
function beforeOf({ rate }: Lane, history: readonly PastRate[]): PastRate | undefined {
  const from = rate?.valid_from ?? "";
  return history.find(
    (one) =>
      one.ended_at === null && one.layer === "standard" && one.id !== rate?.id && one.valid_from <= from,
  );
}

function todayColumns(histories: Histories, path: string, chosen: string) {
  const changeOf = (lane: Lane): string | null => {
    const before = beforeOf(lane, histories.get(lane.id) ?? []);
    if (lane.rate === null || before === undefined || Number(before.total) === 0) return null;
    return ((Number(lane.rate.total) / Number(before.total) - 1) * 100).toFixed(2);
  };
  return [
    {
      name: "Carrier",
      of: (lane: Lane) => (
        <Link
          to={withQuery(path, { box: lane.equipment, currency: lane.currency, lane: lane.id })}
          current={lane.id === chosen}
        >
          {laneText(lane)}
        </Link>
      ),
    },
    {
      name: "Total",
      isNumber: true as const,
      of: ({ rate, currency }: Lane) =>
        rate === null ? (
          <span class="quiet">no rate today</span>
        ) : (
          <>
            <Money of={rate.total} currency={currency} />
            {rate.layer === "promotion" && <span class="second quiet">promotion</span>}
          </>
        ),
    },
    { name: "Change", isNumber: true as const, of: (lane: Lane) => <Change percent={changeOf(lane)} /> },
    {
      name: "Base",
      isNumber: true as const,
      of: ({ rate }: Lane) => (rate === null ? "" : amountText(rate.base)),
    },
    {
      name: "Surcharges",
      isWide: true as const,
      of: ({ rate, currency }: Lane) => rate !== null && <Surcharges of={rate} currency={currency} />,
    },
    { name: "Days", of: ({ rate }: Lane) => rate !== null && <Terms of={rate} /> },
    { name: "From", of: ({ rate }: Lane) => <Day of={rate?.valid_from ?? null} /> },
    { name: "To", of: ({ rate }: Lane) => <Day of={rate?.valid_to ?? null} none="open" /> },
  ];
}

function AllRates({ lane, rates }: { readonly lane: Lane; readonly rates: readonly PastRate[] | null }) {
  if (rates === null) return <p class="loading">Choose one of the first {LINES_MAX} carriers above.</p>;
  const today = new Date().toISOString().slice(0, 10);
  return (
    <Table
      label="All rates"
      rows={rates}
      keyOf={({ id }) => id}
      columns={[
        { name: "Layer", of: ({ layer }) => layer },
        { name: "From", of: ({ valid_from: from }) => <Day of={from} /> },
        { name: "To", of: ({ valid_to: to }) => <Day of={to} none="open" /> },
        { name: "Total", isNumber: true, of: ({ total }) => <Money of={total} currency={lane.currency} /> },
        { name: "Base", isNumber: true, of: ({ base }) => amountText(base) },
        { name: "Surcharges", isWide: true, of: (rate) => <Surcharges of={rate} currency={lane.currency} /> },
        { name: "Days", of: (rate) => <Terms of={rate} /> },
        { name: "Loaded", of: ({ loaded_at: at }) => <Instant at={at} /> },
        {
          name: "State",
          of: (rate) => <RateState of={rate} today={today} isNow={rate.id === lane.rate?.id} />,
        },
      ]}
    />
  );
}

type StateProps = { readonly of: PastRate; readonly today: string; readonly isNow: boolean };

function RateState({ of, today, isNow }: StateProps) {
  if (isNow) return <Badge tone="good">holds</Badge>;
  if (of.ended_by !== null) return <Badge tone="none">{of.ended_by}</Badge>;
  return of.valid_from > today ? <Badge tone="info">to come</Badge> : <span class="quiet">over</span>;
}
