/** A service's scores over the last weeks: a line, and by how much they changed. */
import type { ServiceScore } from "./answers.ts";

type Day = NonNullable<ServiceScore["trend"]>[number];
type Scored = Day & { readonly on_time_percent: number };

const WIDTH = 104;
const HEIGHT = 28;
const DAY_MS = 86_400_000;
/** Percentage points that the line spans at least: small changes look small. */
const SPAN_MIN = 20;
/** Days between the scores of two weeks that follow each other. */
const WEEK_DAYS = 7;

export function Trend({ of }: { readonly of: readonly Day[] }) {
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
