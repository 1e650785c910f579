/** One pair of ports: its carriers' rates for a box over time, and each rate there was. */
import { useMemo } from "preact/hooks";

import { withQuery } from "../../ui/api.ts";
import { Chart, type Line } from "../../ui/chart.tsx";
import { useLoaded, usePages, type Pages } from "../../ui/data.tsx";
import { Switch } from "../../ui/fields.tsx";
import { plural } from "../../ui/numbers.ts";
import { Badge, Empty, Head, Section } from "../../ui/parts.tsx";
import { go, Link, usePlace } from "../../ui/route.tsx";
import { type Column, ListSection } from "../../ui/table.tsx";
import { Placed } from "../clocks.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import { Timeline, type Milestone } from "../timeline.tsx";
import type { Lane, PastRate, Rates } from "./answers.ts";
import {
  amountText,
  Change,
  Day,
  laneText,
  Money,
  priceOf,
  Surcharges,
  Terms,
  Total,
} from "./rate-parts.tsx";

const PAGE = 100;
/** The palette has no more colours that are told apart. */
const LINES_MAX = 6;
const HISTORY_MAX = 100;

export function LanePage({ ends }: { readonly ends: string }) {
  const { pages, tick } = useProductPlace();
  const [origin = "", destination = ""] = ends.split("-");
  const lanes = usePages(
    useClient<Rates>().addressOf("/v1/lanes", { origin, destination, limit: PAGE }),
    ({ data }) => data,
    tick,
  );
  return (
    <div class="stack">
      <Head
        title={`${origin} → ${destination}`}
        about="One line for each carrier, contract and commodity; the market's rate is no single carrier's."
      >
        <Link to={pages} class="button">
          All rates
        </Link>
      </Head>
      {lanes.items === null || lanes.items.length === 0 ? (
        <ListSection
          title="Rates"
          of={lanes}
          columns={[]}
          none={
            <Empty title="There is no rate between these ports">
              Load one: <code>npx boathook rates load rates.csv</code>
            </Empty>
          }
        />
      ) : (
        <Pair found={lanes} lanes={lanes.items} />
      )}
    </div>
  );
}

type PairProps = { readonly found: Pages<Lane>; readonly lanes: readonly Lane[] };

function Pair({ found, lanes }: PairProps) {
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
        aside={
          <Switch
            legend="Box and currency"
            name="kind"
            of={kind}
            options={kinds.map((one) => [one, one])}
            set={choose}
          />
        }
      >
        <History lanes={shown.slice(0, LINES_MAX)} histories={histories} />
      </Section>
      <ListSection
        title="Today"
        of={{ ...found, items: shown }}
        columns={todayColumns(histories, path, chosen.id)}
      />
      <AllRates key={chosen.id} of={chosen} />
      <Timeline reference={chosen.id} said={saidOf(chosen, histories.get(chosen.id) ?? [])} none={null} />
    </>
  );
}

function kindOf({ equipment, currency }: Lane): string {
  return `${equipment} ${currency}`;
}

type Histories = ReadonlyMap<string, readonly PastRate[]>;

/** Of each lane, by its id, as they come. */
function useHistories(lanes: readonly Lane[]): Histories {
  const { routes, tick } = useProductPlace();
  const { ask } = useClient<Rates>();
  const known = useLoaded(async () => {
    const answers = lanes.map(async ({ id }) => {
      const answer = await ask("GET /v1/lanes/{id}/history", { id, limit: HISTORY_MAX });
      return [id, answer.ok ? answer.value.data : []] as const;
    });
    return new Map(await Promise.all(answers));
  }, [lanes.map(({ id }) => id).join(), routes, tick]);
  return known ?? NONE;
}

const NONE: Histories = new Map();

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
  return (
    <Chart
      title="Total a container"
      times={times}
      lines={lines}
      format={priceOf}
      axis="days"
      empty={histories.size === 0 ? "Loading…" : "A line needs rates of two days: load the next ones."}
    />
  );
}

/** The standard rate before the rate that holds. */
function beforeOf({ rate }: Lane, history: readonly PastRate[]): PastRate | undefined {
  const from = rate?.valid_from ?? "";
  return history.find(
    (one) =>
      one.ended_at === null && one.layer === "standard" && one.id !== rate?.id && one.valid_from <= from,
  );
}

function todayColumns(histories: Histories, path: string, chosen: string): readonly Column<Lane>[] {
  const changeOf = (lane: Lane): string | null => {
    const before = beforeOf(lane, histories.get(lane.id) ?? []);
    if (lane.rate === null || before === undefined || Number(before.total) === 0) return null;
    return ((Number(lane.rate.total) / Number(before.total) - 1) * 100).toFixed(2);
  };
  return [
    {
      name: "Carrier",
      of: (lane) => (
        <Link
          to={withQuery(path, { box: lane.equipment, currency: lane.currency, lane: lane.id })}
          current={lane.id === chosen}
        >
          {laneText(lane)}
        </Link>
      ),
    },
    { name: "Total", isNumber: true, of: (lane) => <Total of={lane} /> },
    { name: "Change", isNumber: true, of: (lane) => <Change percent={changeOf(lane)} /> },
    {
      name: "Base",
      isNumber: true,
      of: ({ rate }) => (rate === null ? "" : amountText(rate.base)),
    },
    {
      name: "Surcharges",
      isWide: true,
      of: ({ rate, currency }) => rate !== null && <Surcharges of={rate} currency={currency} />,
    },
    { name: "Days", of: ({ rate }) => rate !== null && <Terms of={rate} /> },
    { name: "From", of: ({ rate }) => <Day of={rate?.valid_from ?? null} /> },
    { name: "To", of: ({ rate }) => <Day of={rate?.valid_to ?? null} none="open" /> },
  ];
}

function AllRates({ of: lane }: { readonly of: Lane }) {
  const { tick } = useProductPlace();
  const { addressOf } = useClient<Rates>();
  const found = usePages(addressOf("/v1/lanes/{id}/history", { id: lane.id }), ({ data }) => data, tick);
  const today = new Date().toISOString().slice(0, 10);
  return (
    <ListSection
      title={`All rates, ${laneText(lane)}`}
      label="All rates"
      of={found}
      columns={[
        { name: "Layer", of: ({ layer }) => layer },
        { name: "From", of: ({ valid_from: from }) => <Day of={from} /> },
        { name: "To", of: ({ valid_to: to }) => <Day of={to} none="open" /> },
        { name: "Total", isNumber: true, of: ({ total }) => <Money of={total} currency={lane.currency} /> },
        { name: "Base", isNumber: true, of: ({ base }) => amountText(base) },
        { name: "Surcharges", isWide: true, of: (rate) => <Surcharges of={rate} currency={lane.currency} /> },
        { name: "Days", of: (rate) => <Terms of={rate} /> },
        {
          name: "State",
          of: (rate) => <RateState of={rate} today={today} isNow={rate.id === lane.rate?.id} />,
        },
      ]}
    />
  );
}

/** Of one load or removal: the others are among all rates above. */
const RATES_SAID = 3;

/** What was loaded and removed at once is one of them. */
function saidOf({ currency }: Lane, rates: readonly PastRate[]): readonly Milestone[] {
  const steps = rates.flatMap((rate) => [
    { verb: "loaded", at: rate.loaded_at, rate },
    ...(rate.ended_by === "removed" ? [{ verb: "removed", at: rate.ended_at ?? rate.loaded_at, rate }] : []),
  ]);
  const sorted = steps.toSorted(
    (one, other) => order(one.at, other.at) || order(one.rate.valid_from, other.rate.valid_from),
  );
  return [...Map.groupBy(sorted, ({ verb, at }) => `${at} ${verb}`)].map(([key, some]) => {
    const [{ verb, at }] = some as [(typeof some)[number]];
    const about = some.slice(0, RATES_SAID).map(({ rate }) => (
      <>
        {rate.layer === "promotion" && "promotion "}
        <Money of={rate.total} currency={currency} /> from <Day of={rate.valid_from} />
      </>
    ));
    const rest = some.length - about.length;
    return {
      ...{ key, at, is: "actual", name: `${plural(some.length, "rate", "rates")} ${verb}` },
      about: rest > 0 ? [...about, `${rest} more`] : about,
      when: <Placed at={null} instant={at} />,
    };
  });
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

type StateProps = { readonly of: PastRate; readonly today: string; readonly isNow: boolean };

function RateState({ of, today, isNow }: StateProps) {
  if (isNow) return <Badge tone="good">holds</Badge>;
  if (of.ended_by !== null) return <Badge tone="none">{of.ended_by}</Badge>;
  return of.valid_from > today ? <Badge tone="info">to come</Badge> : <span class="quiet">over</span>;
}

const DAY_MS = 86_400_000;

function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The rates in force of each lane → a value of each at each day on which one changes, and at the day before it. */
function stepsOf(lanes: readonly (readonly PastRate[])[], todayMs: number) {
  const inForce = lanes.map((rates) => rates.filter(({ ended_at: ended }) => ended === null));
  const days = new Set<number>();
  for (const { valid_from: from, valid_to: to } of inForce.flat()) {
    days.add(dayMs(from)).add(dayMs(from) - DAY_MS);
    if (to !== null) days.add(dayMs(to)).add(dayMs(to) + DAY_MS);
  }
  const today = Math.floor(todayMs / DAY_MS) * DAY_MS;
  const first = Math.min(today, ...inForce.flat().map(({ valid_from: from }) => dayMs(from)));
  const times = [...days.add(today)].filter((ms) => ms >= first).toSorted((one, other) => one - other);
  const values = inForce.map((rates) => times.map((ms) => totalAt(rates, ms)));
  return { times: times.map((ms) => ms / 1_000), values };
}

function totalAt(rates: readonly PastRate[], ms: number): number | null {
  const runs = rates.filter(
    ({ valid_from: from, valid_to: to }) => dayMs(from) <= ms && (to === null || dayMs(to) >= ms),
  );
  const holds = runs.find(({ layer }) => layer === "promotion") ?? runs[0];
  return holds === undefined ? null : Number(holds.total);
}
