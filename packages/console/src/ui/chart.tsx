/** Lines over time. The canvas keeps its size while it changes; its values stand beside their names as text. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export type Line = {
  readonly name: string;
  /** The place of its colour in the palette, from 1. */
  readonly color: number;
  readonly values: readonly (number | null)[];
};

type ChartProps = {
  readonly title: string;
  /** In seconds since the epoch. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** `days`: of days by UTC, and values that are compared with each other, not with zero. */
  readonly axis?: "clock" | "days";
};

const HEIGHT_PX = 176;
const AXIS_PX = 56;
const TIMES_PX = 26;
const FONT = '11px system-ui, "Segoe UI", sans-serif';

/** `empty`: what stands there until there is a line. */
export function Chart({ empty, ...plot }: ChartProps & { readonly empty?: string }) {
  if (empty !== undefined && plot.times.length < 2) return <p class="chart-empty quiet">{empty}</p>;
  return <Plot {...plot} />;
}

function Plot({ title, times, lines, format, axis = "clock" }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const theme = useTheme();
  const names = lines.map(({ name, color }) => `${name} ${color}`).join("|");
  const data = useMemo(
    () => [times, ...lines.map(({ values }) => values)] as uPlot.AlignedData,
    [times, lines],
  );

  useEffect(() => {
    const at = box.current;
    if (at === null) return undefined;
    const made = new uPlot(optionsOf(at.clientWidth, lines, format, axis, setPointed), data, at);
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: at.clientWidth, height: HEIGHT_PX }));
    resized.observe(at);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [names, theme]);
  useEffect(() => plot.current?.setData(data), [data]);

  const place = pointed ?? times.length - 1;
  const valueOf = ({ values }: Line): string => {
    const value = values[place];
    return value === null || value === undefined ? "–" : format(value);
  };
  const said = lines.map((line) => `${line.name} ${valueOf(line)}`).join(", ");
  return (
    <div class="chart">
      <ul class="legend">
        {lines.map((line) => (
          <li key={line.name}>
            <span class="swatch" style={{ background: `var(--c${line.color})` }} />
            {line.name} <span class="value">{valueOf(line)}</span>
          </li>
        ))}
      </ul>
      <div ref={box} class="plot" role="img" aria-label={`${title}, now: ${said}`} />
    </div>
  );
}

/** Of the theme that is shown: a variable alone says both. */
function colorOf(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function optionsOf(
  width: number,
  lines: readonly Line[],
  format: (value: number) => string,
  kind: "clock" | "days",
  point: (index: number | null) => void,
): uPlot.Options {
  const axis = { stroke: colorOf("--quiet"), font: FONT, ticks: { show: false } };
  const grid = { stroke: colorOf("--line"), width: 1 };
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 6 }, y: false },
    // At the right, half of a time that stands at the end.
    padding: [8, 18, 0, 0],
    scales: {
      y: { range: (_plot, min, max) => (kind === "days" ? around(min, max) : [0, max > 0 ? max * 1.1 : 1]) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: TIMES_PX,
        space: 64,
        values: (_plot, at) => withoutRepeats(at.map(timesOf(kind, at))),
      },
      { ...axis, grid, size: AXIS_PX, space: 36, values: (_plot, at) => valuesOf(at, format) },
    ],
    series: [
      {},
      ...lines.map(({ name, color }) => ({
        label: name,
        stroke: colorOf(`--c${color}`),
        width: 1.5,
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [({ cursor: { idx, left = -1 } }) => point(left < 0 ? null : (idx ?? null))] },
  };
}

/** A label that says the same as the one before it is left out. */
function withoutRepeats(labels: readonly string[]): string[] {
  return labels.map((label, at) => (label === labels[at - 1] ? "" : label));
}

/** Where parts of one would be rounded to what others say, whole values alone have labels. */
function valuesOf(at: readonly number[], format: (value: number) => string): string[] {
  const labels = at.map(format);
  const isRounded = new Set(labels).size < labels.length;
  return labels.map((label, place) => (isRounded && !Number.isInteger(at[place]) ? "" : label));
}

/** A tenth of the span is free at both ends. */
function around(min: number, max: number): [number, number] {
  const span = max - min || Math.abs(max) || 1;
  return [min - span / 10, max + span / 10];
}

/** How the times of an axis are written. */
function timesOf(kind: "clock" | "days", at: readonly number[]): (atS: number) => string {
  if (kind === "days") return utcDayOf;
  return (at.at(-1) ?? 0) - (at[0] ?? 0) > DATED_S ? dayOf : clockOf;
}

const utcDay = new Intl.DateTimeFormat(undefined, { day: "2-digit", month: "short", timeZone: "UTC" });

function utcDayOf(atS: number): string {
  return utcDay.format(atS * 1_000);
}

function clockOf(atS: number): string {
  const at = new Date(atS * 1_000);
  return `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
}

/** Beyond it, times have their day. */
const DATED_S = 36 * 3_600;

const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

function dayOf(atS: number): string {
  return day.format(atS * 1_000);
}

/** Changes with the colours of the page. */
function useTheme(): string {
  const read = (): string => colorOf("--line");
  const [theme, setTheme] = useState(read);
  useEffect(() => {
    const changed = (): void => setTheme(read());
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", changed);
    const chosen = new MutationObserver(changed);
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    return () => {
      system.removeEventListener("change", changed);
      chosen.disconnect();
    };
  }, []);
  return theme;
}
