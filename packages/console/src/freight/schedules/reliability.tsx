/** How much of each service's arrivals were on time, as bars. */
import { Empty } from "../../ui/parts.tsx";
import { usePages } from "../../ui/data.tsx";
import { type Column, ListSection } from "../../ui/table.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import type { Schedules, ServiceScore } from "./answers.ts";

const PAGE = 100;
const WEEKS = 26;

export function ReliabilityView({ carrier }: { readonly carrier: string }) {
  const { tick } = useProductPlace();
  const found = usePages(
    useClient<Schedules>().addressOf("/public/reliability", { carrier, weeks: WEEKS, limit: PAGE }),
    ({ data }) =>
      data.services.map((one) => ({
        ...one,
        id: `${one.carrier} ${one.service}`,
        measured: measuredOf(data),
      })),
    tick,
  );
  const items = found.items?.toSorted((one, other) => rankOf(one) - rankOf(other)) ?? null;
  return (
    <ListSection
      title="Reliability by service"
      aside={items?.[0]?.measured}
      class="bars"
      of={{ ...found, items }}
      columns={COLUMNS}
      none={<Empty title="Nothing is measured yet">{UNMEASURED}</Empty>}
    />
  );
}

type Measured = { readonly day: string | null; readonly window_days: number };

function measuredOf({ day, window_days: days }: Measured): string {
  return day === null ? "" : `arrivals of ${days} days up to ${day}`;
}

/** The worst first; those that have too few calls last. */
function rankOf({ on_time_percent: percent }: ServiceScore): number {
  return percent ?? 101;
}

const UNMEASURED =
  "An arrival is measured by what was expected two weeks before, so the first figures come some weeks after the first schedules.";

const COLUMNS: readonly Column<ServiceScore>[] = [
  { name: "Service", width: 128, of: ({ carrier, service }) => `${carrier} ${service}` },
  {
    name: "On time",
    isNumber: true,
    width: 96,
    of: ({ on_time_percent: percent }) =>
      percent === null ? <span class="quiet">too few</span> : <strong>{percent.toFixed(1)} %</strong>,
  },
  {
    name: "As a bar",
    title: <span class="hidden">As a bar</span>,
    of: (score) => <Bar of={score} />,
  },
  {
    name: "Arrivals",
    isNumber: true,
    width: 96,
    of: ({ calls, calls_on_time: onTime }) => `${onTime} of ${calls}`,
  },
  {
    name: "Best since the last fall",
    isNumber: true,
    width: 184,
    of: ({ reference_percent: reference }) => (reference === null ? "–" : `${reference.toFixed(1)} %`),
  },
  { name: `The last ${WEEKS} weeks`, width: 216, of: ({ trend }) => <Trend of={trend ?? []} /> },
];

const POOR_PERCENT = 60;
const FAIR_PERCENT = 80;

function Bar({ of }: { readonly of: ServiceScore }) {
  const { on_time_percent: percent, reference_percent: reference } = of;
  const tone =
    percent === null ? "none" : percent < POOR_PERCENT ? "bad" : percent < FAIR_PERCENT ? "warn" : "good";
  return (
    <div class="bar-track" aria-hidden="true">
      <span class={`fill ${tone}`} style={{ width: `${percent ?? 0}%` }} />
      {reference !== null && <span class="mark" style={{ left: `${reference}%` }} />}
    </div>
  );
}

type Day = NonNullable<ServiceScore["trend"]>[number];
type Scored = Day & { readonly on_time_percent: number };

const WIDTH = 104;
const HEIGHT = 28;
const DAY_MS = 86_400_000;
/** Percentage points that the line spans at least: small changes look small. */
const SPAN_MIN = 20;
/** Days between the scores of two weeks that follow each other. */
const WEEK_DAYS = 7;

function Trend({ of }: { readonly of: readonly Day[] }) {
  const scored = of.filter((one): one is Scored => one.on_time_percent !== null);
  const [first, last] = [scored[0], scored.at(-1)];
  if (first === undefined || last === undefined || first === last)
    return <span class="quiet">too few weeks</span>;
  const change = last.on_time_percent - first.on_time_percent;
  const said = `${change > 0 ? "+" : change < 0 ? "−" : "±"}${Math.abs(change).toFixed(1)}`;
  const { path, end } = lineOf(scored);
  return (
    <div class="trend">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`From ${first.on_time_percent.toFixed(1)} % on ${first.day} to ${last.on_time_percent.toFixed(1)} % on ${last.day}`}
      >
        <path d={path} />
        <circle cx={end.x} cy={end.y} r="2.5" />
      </svg>
      <span>
        {said} <span class="quiet">points</span>
      </span>
    </div>
  );
}

/** With a gap where a week has no score. */
function lineOf(days: readonly Scored[]) {
  const at = days.map(({ day }) => Date.parse(day) / DAY_MS);
  const [from, to] = [at[0]!, at.at(-1)!];
  const percents = days.map((one) => one.on_time_percent);
  const [low, high] = [Math.min(...percents), Math.max(...percents)];
  const free = Math.max(0, SPAN_MIN - (high - low)) / 2;
  const span = high - low + 2 * free;
  const points = days.map((one, place) => ({
    x: Number((((at[place]! - from) / (to - from)) * WIDTH).toFixed(1)),
    y: Number(((1 - (one.on_time_percent - low + free) / span) * HEIGHT).toFixed(1)),
    isNext: place > 0 && at[place]! - at[place - 1]! <= WEEK_DAYS,
  }));
  const path = points.map(({ x, y, isNext }) => `${isNext ? "L" : "M"}${x} ${y}`).join("");
  return { path, end: points.at(-1)! };
}
