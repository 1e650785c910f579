/** How much of each service's arrivals were on time, as bars. */
import { useClient, useProduct } from "../place.tsx";
import { Empty, Note, Section } from "../../ui/parts.tsx";
import type { Schedules, ServiceScore } from "./answers.ts";
import { Trend } from "./trend.tsx";

const SERVICES_MAX = 100;
const WEEKS = 26;

export function ReliabilityView({ carrier }: { readonly carrier: string }) {
  const { addressOf } = useClient<Schedules>();
  const { value, failure } = useProduct(
    addressOf("/public/reliability", { carrier, weeks: WEEKS, limit: SERVICES_MAX }),
  );
  if (failure !== null && value === null) return <Note kind="bad">{failure.message}</Note>;
  const { day = null, window_days: days = 0, services = [] } = value?.data ?? {};
  return (
    <Section
      title="Reliability by service"
      aside={day === null ? null : <span class="quiet">{`arrivals of ${days} days up to ${day}`}</span>}
    >
      {value !== null && services.length === 0 && (
        <Empty title="Nothing is measured yet">
          An arrival is measured by what was expected two weeks before, so the first figures come some weeks
          after the first schedules.
        </Empty>
      )}
      {services.length > 0 && <Bars of={services} />}
    </Section>
  );
}

function Bars({ of }: { readonly of: readonly ServiceScore[] }) {
  const worstFirst = of.toSorted(
    (one, other) => (one.on_time_percent ?? 101) - (other.on_time_percent ?? 101),
  );
  return (
    <table class="bars" aria-label="Reliability by service" role="table">
      <thead role="rowgroup">
        <tr role="row">
          {["Service", "On time", "", "Arrivals", "Best since the last fall", TREND].map((name) => (
            <th
              key={name}
              scope="col"
              role="columnheader"
              class={["Service", "", TREND].includes(name) ? "" : "number"}
            >
              {name === "" ? <span class="hidden">As a bar</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {worstFirst.map((one) => (
          <Bar key={`${one.carrier} ${one.service}`} of={one} />
        ))}
      </tbody>
    </table>
  );
}

const TREND = `The last ${WEEKS} weeks`;

const POOR_PERCENT = 60;
const FAIR_PERCENT = 80;

function Bar({ of }: { readonly of: ServiceScore }) {
  const {
    carrier,
    service,
    on_time_percent: percent,
    reference_percent: reference,
    calls,
    calls_on_time: onTime,
  } = of;
  const tone =
    percent === null ? "none" : percent < POOR_PERCENT ? "bad" : percent < FAIR_PERCENT ? "warn" : "good";
  return (
    <tr role="row">
      <td role="cell" data-name="Service">
        <div class="cell">
          {carrier} {service}
        </div>
      </td>
      <td role="cell" class="number" data-name="On time">
        {percent === null ? <span class="quiet">too few</span> : <strong>{percent.toFixed(1)} %</strong>}
      </td>
      <td role="cell" class="bar-cell" data-name="">
        <div class="bar-track" aria-hidden="true">
          <span class={`fill ${tone}`} style={{ width: `${percent ?? 0}%` }} />
          {reference !== null && <span class="mark" style={{ left: `${reference}%` }} />}
        </div>
      </td>
      <td role="cell" class="number" data-name="Arrivals">
        {onTime} of {calls}
      </td>
      <td role="cell" class="number" data-name="Best before">
        {reference === null ? "–" : `${reference.toFixed(1)} %`}
      </td>
      <td role="cell" class="trend-cell" data-name={TREND}>
        <Trend of={of.trend ?? []} />
      </td>
    </tr>
  );
}
