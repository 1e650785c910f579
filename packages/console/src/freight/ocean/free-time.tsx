/** Until when a box may stay, and what each day after costs. */
import { Section } from "../../ui/parts.tsx";
import { Moment } from "../clocks.tsx";
import type { FreeTime, Journey } from "./answers.ts";

const dollars = new Intl.NumberFormat(undefined, {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});
const weekday = new Intl.DateTimeFormat(undefined, {
  ...{ weekday: "short", day: "2-digit", month: "short", year: "numeric" },
  timeZone: "UTC",
});
/** Days ahead for which the bill is reckoned. */
const AHEAD_DAYS = [1, 3, 7] as const;
const DAY_MS = 86_400_000;

const AT_TERMINAL = new Set(["discharged", "customs_hold", "available"]);

export function FreeTimeCard({ of: { free_time: free, status } }: { readonly of: Journey }) {
  if (free === null) return null;
  const isThere = AT_TERMINAL.has(status);
  return (
    <Section title="Free time at the terminal">
      <p class={`free-day ${isThere ? toneOf(free) : ""}`}>
        <span class="quiet">Last free day</span>
        <strong>{weekday.format(new Date(`${free.last_free_day}T00:00:00Z`))}</strong>
        <span>{isThere ? stateOf(free) : leftText(free)}</span>
      </p>
      <p class="quiet">
        {free.source === "carrier"
          ? "The carrier states the day."
          : "By the tariff that the operator loaded."}{" "}
        It ends <Moment at={free.ends_at} /> by your clock.
      </p>
      {free.rates === null ? (
        <p class="quiet">
          What a day after costs is not known: no tariff for this carrier and port has rates.
        </p>
      ) : (
        <Costs of={free} rates={free.rates} isThere={isThere} />
      )}
    </Section>
  );
}

type CostsProps = {
  readonly of: FreeTime;
  readonly rates: NonNullable<FreeTime["rates"]>;
  readonly isThere: boolean;
};

function Costs({ of, rates, isThere }: CostsProps) {
  return (
    <dl class="costs">
      {of.accrued_usd !== null && of.days_overdue > 0 && (
        <div class="total">
          <dt>So far, {daysText(of.days_overdue)} over</dt>
          <dd>{dollars.format(of.accrued_usd)}</dd>
        </div>
      )}
      {isThere &&
        AHEAD_DAYS.map((days) => (
          <div key={days}>
            <dt>{of.days_overdue > 0 ? `${daysText(days)} from now` : `${daysText(days)} over`}</dt>
            <dd>{dollars.format(costOf(rates, of.days_overdue + days))}</dd>
          </div>
        ))}
      {rates.map(({ from_day: day, usd_per_day: rate }, index) => (
        <div key={day} class="quiet">
          <dt>{rangeText(day, rates[index + 1]?.from_day)}</dt>
          <dd>{dollars.format(rate)} a day</dd>
        </div>
      ))}
    </dl>
  );
}

/** Each day overdue by its own rate. */
export function costOf(rates: NonNullable<FreeTime["rates"]>, daysOverdue: number): number {
  return rates.reduce((sum, { from_day: day, usd_per_day: rate }, index) => {
    const until = Math.min(daysOverdue, (rates[index + 1]?.from_day ?? Number.POSITIVE_INFINITY) - 1);
    return sum + Math.max(0, until - day + 1) * rate;
  }, 0);
}

function daysText(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}

function rangeText(from: number, next: number | undefined): string {
  if (next === undefined) return `From day ${from}`;
  return next - 1 === from ? `Day ${from}` : `Days ${from} to ${next - 1}`;
}

function toneOf({ days_overdue: over, ends_at: ends }: FreeTime): string {
  if (over > 0) return "bad";
  return Date.parse(ends) - Date.now() < 4 * DAY_MS ? "warn" : "";
}

function stateOf({ days_overdue: over, ends_at: ends }: FreeTime): string {
  if (over > 0) return `Over for ${daysText(over)}`;
  const left = Math.floor((Date.parse(ends) - Date.now()) / DAY_MS);
  if (left < 0) return "Over";
  return left === 0 ? "Ends today" : `${daysText(left)} left`;
}

function leftText({ days_overdue: over }: FreeTime): string {
  return over > 0 ? `It left ${daysText(over)} too late` : "It left in time";
}
