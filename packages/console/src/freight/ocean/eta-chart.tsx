/** How the estimate of the arrival moved: a step for each change, and the same as a list. */
import { daysFrom, dayText, Moment, moveText } from "../clocks.tsx";
import type { Journey } from "./answers.ts";

type Seen = Journey["eta_history"][number];

const WIDTH = 480;
const HEIGHT = 172;
const LEFT = 72;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 30;
/** Less is a line: a day has one name on the axis. */
const SPAN_MS_MIN = 4 * 86_400_000;
const LINES = 3;
const LISTED_MAX = 6;

export function EtaChart({
  of: { eta, eta_history: history, eta_is_actual: isActual },
}: {
  readonly of: Journey;
}) {
  const [first] = history;
  if (first === undefined || eta === null)
    return <p class="quiet">The carrier has not said when it arrives.</p>;
  if (history.length === 1)
    return (
      <p>
        {isActual ? "It arrived" : "It is expected"} <Moment at={eta} />.{" "}
        <span class="quiet">
          The carrier has named no other time since it was first asked, {daysFrom(first.seen_at)}.
        </span>
      </p>
    );
  return (
    <>
      <Steps history={history} />
      <ol class="moves">
        {history
          .map((one, index) => ({ one, before: history[index - 1] ?? null }))
          .toReversed()
          .slice(0, LISTED_MAX)
          .map(({ one, before }) => (
            <li key={one.seen_at}>
              <Moment at={one.eta} />
              <Move of={one} before={before} />
              <span class="quiet">
                seen <Moment at={one.seen_at} />
              </span>
            </li>
          ))}
      </ol>
    </>
  );
}

function Move({ of, before }: { readonly of: Seen; readonly before: Seen | null }) {
  if (before === null) return <span class="quiet">first</span>;
  const ms = Date.parse(of.eta) - Date.parse(before.eta);
  return <span class={ms > 0 ? "later" : "earlier"}>{moveText(ms)}</span>;
}

function Steps({ history }: { readonly history: readonly Seen[] }) {
  const seen = history.map(({ seen_at: at }) => Date.parse(at));
  const etas = history.map(({ eta }) => Date.parse(eta));
  const startMs = seen[0]!;
  const endMs = Math.max(seen.at(-1)!, startMs + 1);
  const [least, most] = [Math.min(...etas), Math.max(...etas)];
  const spare = Math.max((most - least) * 0.15, (SPAN_MS_MIN - (most - least)) / 2);
  const [low, high] = [least - spare, most + spare];
  // The last one holds until now: it needs some width too.
  const room = (endMs - startMs) * 0.08;
  const x = (ms: number): number =>
    LEFT + ((ms - startMs) / (endMs + room - startMs)) * (WIDTH - LEFT - RIGHT);
  const y = (ms: number): number => TOP + (1 - (ms - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const line = etas.map((eta, index) =>
    index === 0 ? `M${x(startMs)} ${y(eta)}` : `H${x(seen[index]!)} V${y(eta)}`,
  );
  const levels = Array.from({ length: LINES }, (_, index) => low + ((high - low) * (index + 0.5)) / LINES);
  return (
    <svg
      class="eta-chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`The estimated arrival moved ${history.length - 1} times, from ${dayText(etas[0]!)} to ${dayText(etas.at(-1)!)}`}
    >
      {levels.map((level) => (
        <g key={level}>
          <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(level)} y2={y(level)} />
          <text x={LEFT - 8} y={y(level) + 4} text-anchor="end">
            {dayText(level)}
          </text>
        </g>
      ))}
      <text x={LEFT} y={HEIGHT - 6}>
        {dayText(startMs)}
      </text>
      <text x={WIDTH - RIGHT} y={HEIGHT - 6} text-anchor="end">
        {dayText(endMs)}
      </text>
      <path class="step" d={`${line.join(" ")} H${WIDTH - RIGHT}`} />
      {etas.map((eta, index) => (
        <circle key={seen[index]} class="dot" cx={x(seen[index]!)} cy={y(eta)} r="3" />
      ))}
    </svg>
  );
}
