import { useEffect, useMemo, useState } from "preact/hooks";

import { Chart, type Line } from "../ui/chart.tsx";
import { type Data, FailureNote, Trouble, useData } from "../ui/data.tsx";
import { Switch } from "../ui/fields.tsx";
import { count, rate, seconds, share } from "../ui/numbers.ts";
import { Empty, Head, Note, Section, Stat } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { TableSection } from "../ui/table.tsx";
import { addressOf, type Sample, type Status } from "./answers.ts";
import { OF_ALL } from "./endpoints.tsx";
import { useLive } from "./live.ts";
import { Cells, Nodes, Reasons, Sources } from "./status-tables.tsx";

const RANGES = [
  ["hour", "Last hour"],
  ["day", "Last day"],
] as const;

type Range = (typeof RANGES)[number][0];

const SAMPLES_MAX = 1_000;
const MINUTE_MS = 60_000;

export function Overview() {
  const [range, setRange] = useState<Range>("hour");
  const { status, trouble } = useLive();
  const history = useHistory(range);
  return (
    <>
      <Head
        title="Overview"
        about="All accounts and products. Rates, latency and charts are of this node since it started."
      >
        <Switch legend="Charts show" name="range" of={range} options={RANGES} set={setRange} />
      </Head>
      <Troubles status={status} trouble={trouble} />
      {history.failure !== null && <FailureNote of={history.failure} />}
      <Figures status={status} samples={history.value} />
      <Failing />
      <div class="columns">
        <Reasons status={status} />
        <Sources status={status} />
        <Nodes status={status} />
        <Cells status={status} />
      </div>
      {history.value !== null && <Charts samples={history.value} />}
    </>
  );
}

/** The samples of the range, with those that have come since. Those of a day are wider: they are read again each minute. */
function useHistory(range: Range): Data<readonly Sample[]> {
  const { sample, state } = useLive();
  const minute = range === "day" && sample !== null ? Math.floor(Date.parse(sample.at) / MINUTE_MS) : 0;
  const history = useData(addressOf("/v1/history", { range }), `${state} ${minute}`);
  const [come, setCome] = useState<readonly Sample[]>([]);
  useEffect(() => {
    if (sample === null) return;
    // The stream says the last one again when it is opened, and when another tab comes.
    setCome((before) =>
      (before.at(-1)?.at ?? "") < sample.at ? [...before, sample].slice(-SAMPLES_MAX) : before,
    );
  }, [sample]);
  const read = history.value?.samples;
  const value = useMemo(() => {
    if (read === undefined) return null;
    const since = range === "hour" ? come.filter(({ at }) => at > (read.at(-1)?.at ?? "")) : [];
    return [...read, ...since].slice(-SAMPLES_MAX);
  }, [read, come, range]);
  return { ...history, value };
}

function Troubles({ status, trouble }: { readonly status: Status | null; readonly trouble: string | null }) {
  const checks = Object.entries(status?.checks ?? {});
  const ill = status?.cells.filter((cell) => cell.trouble !== null) ?? [];
  return (
    <>
      {trouble !== null && <Note kind="bad">The service answers, but cannot say how it is: {trouble}.</Note>}
      {checks.map(([name, reason]) => (
        <Note key={name} kind="bad">
          <strong>{name}:</strong> {reason}
        </Note>
      ))}
      {ill.map((cell) => (
        <Note key={cell.name} kind="bad">
          <strong>Cell {cell.name}:</strong> {cell.trouble}. Its accounts wait; the others go on.
        </Note>
      ))}
    </>
  );
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, one) => sum + one, 0);
}

const STATES = [
  ["due", "Due", 1],
  ["claimed", "Claimed", 2],
  ["waiting", "Retrying", 3],
  ["parked", "Parked", 4],
] as const;

/** `samples`: null where they are not there. */
type FiguresProps = { readonly status: Status | null; readonly samples: readonly Sample[] | null };

function Figures({ status, samples: read }: FiguresProps) {
  const samples = read ?? [];
  const last = samples.at(-1);
  const delivered = samples.reduce((sum, one) => sum + total(one.delivered), 0);
  const failed = samples.reduce((sum, one) => sum + total(one.failed_attempts) + total(one.dead), 0);
  const backlog = status?.backlog.reduce(
    (sum, one) => sum + one.due + one.claimed + one.waiting + one.parked,
    0,
  );
  const parked = status?.backlog.reduce((sum, one) => sum + one.parked, 0) ?? 0;
  const { failing = 0, disabled = 0, paused = 0 } = status?.endpoints ?? {};
  const shown = (value: number | undefined): string => (value === undefined ? "–" : count(value));
  return (
    <dl class="stats">
      <Stat
        name="Delivered a second"
        value={last === undefined ? "–" : rate(total(last.delivered) / last.seconds)}
        about={read === null ? "" : `${count(delivered)} in this range`}
      />
      <Stat
        name="Attempts that succeed"
        value={share(delivered, delivered + failed)}
        about={read === null ? "" : `${count(failed)} failed in this range`}
      />
      <Stat
        name="From event to delivery"
        value={seconds(last?.arrival_seconds?.p50)}
        about={`p99 ${seconds(last?.arrival_seconds?.p99)}`}
      />
      <Stat name="Backlog" value={shown(backlog)} about={`${count(parked)} parked`} />
      <Stat
        name="Endpoints in trouble"
        value={status === null ? "–" : count(failing + disabled)}
        about={`${count(disabled)} off, ${count(failing)} failing, ${count(paused)} paused`}
        tone={disabled > 0 ? "bad" : failing > 0 ? "warn" : "none"}
      />
    </dl>
  );
}

function Charts({ samples }: { readonly samples: readonly Sample[] }) {
  const times = useMemo(() => samples.map(({ at }) => Date.parse(at) / 1_000), [samples]);
  const { products, outcomes, latency, backlog } = useMemo(() => linesOf(samples), [samples]);
  const charts = [
    ["Deliveries a second", products, rate],
    ["Failures a second", outcomes, rate],
    ["From event to delivery", latency, seconds],
    ["Backlog", backlog, count],
  ] as const;
  return (
    <div class="charts">
      {charts.map(([title, lines, format]) => (
        <Section key={title} title={title}>
          <Chart
            title={title}
            times={times}
            lines={lines}
            format={format}
            empty="The first points come within half a minute after the start."
          />
        </Section>
      ))}
    </div>
  );
}

/** Colours that are no state's: red is of the dead, amber of failures, green of what works. */
const OF_PRODUCTS = [1, 2, 7, 8, 9, 6] as const;

function linesOf(
  samples: readonly Sample[],
): Readonly<Record<"products" | "outcomes" | "latency" | "backlog", Line[]>> {
  const named = [...new Set(samples.flatMap(({ delivered }) => Object.keys(delivered)))].toSorted();
  const line = (name: string, color: number, of: (sample: Sample) => number | null): Line => ({
    name,
    color,
    values: samples.map(of),
  });
  return {
    products:
      named.length === 0
        ? [line("deliveries", 1, () => 0)]
        : named.map((name, at) =>
            line(
              name,
              OF_PRODUCTS[at % OF_PRODUCTS.length]!,
              (one) => (one.delivered[name] ?? 0) / one.seconds,
            ),
          ),
    outcomes: [
      line("failed attempts", 4, (one) => total(one.failed_attempts) / one.seconds),
      line("dead", 5, (one) => total(one.dead) / one.seconds),
    ],
    latency: [
      line("p50", 1, (one) => one.arrival_seconds?.p50 ?? null),
      line("p99", 2, (one) => one.arrival_seconds?.p99 ?? null),
    ],
    backlog: STATES.map(([state, name, color]) => line(name, color, (one) => one.backlog[state] ?? 0)),
  };
}

const FAILING_MAX = 10;

function Failing() {
  const { tick } = useLive();
  const failing = useData(addressOf("/v1/endpoints/failing", { limit: FAILING_MAX }), tick);
  const { endpoints = [], unavailable_cells: unavailable = [] } = failing.value ?? {};
  const isKnown = failing.value !== null && unavailable.length === 0;
  return (
    <TableSection
      title="Endpoints off and failing"
      aside={<Link to="/console/endpoints?state=off">All that are off</Link>}
      rows={endpoints}
      columns={OF_ALL}
      none={isKnown ? <Empty title="None">Every active endpoint takes its deliveries.</Empty> : undefined}
    >
      <Trouble of={{ failure: failing.failure, unavailable }} />
    </TableSection>
  );
}
