import { useMemo, useState } from "preact/hooks";

import { Chart, type Line } from "../ui/chart.tsx";
import { Shown, useData } from "../ui/data.tsx";
import { count } from "../ui/numbers.ts";
import { Note, Section, Table } from "../ui/parts.tsx";
import { addressOf, type EndpointHealth } from "./answers.ts";
import { useLive } from "./live.ts";

const RANGES = [
  ["day", "Day"],
  ["week", "Week"],
  ["month", "Month"],
] as const;

type Range = (typeof RANGES)[number][0];

/** How an endpoint's attempts ended, over time. */
export function Health({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const [range, setRange] = useState<Range>("day");
  const health = useData(addressOf("/v1/endpoints/{id}/health", { id, range }), tick);
  return (
    <Section
      title="Health"
      aside={
        <fieldset class="switch">
          <legend class="hidden">The chart shows the last</legend>
          {RANGES.map(([value, name]) => (
            <label key={value}>
              <input type="radio" name="health" checked={range === value} onChange={() => setRange(value)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
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
          keyOf={({ code }) => code}
          columns={[
            { name: "Failure", isWide: true, of: ({ code }) => <code>{code}</code> },
            { name: "Attempts", isNumber: true, of: ({ attempts }) => count(attempts) },
          ]}
        />
      )}
    </>
  );
}
