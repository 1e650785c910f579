/**
 * A map of the world without tiles: coasts, ways, ports and vessels. One drags it with a pointer, two fingers or the arrow
 * keys. It is a picture to a screen reader: what is on it stands as a list beside it.
 */
import { geoGraticule10, type GeoPermissibleObjects } from "d3-geo";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { feature } from "topojson-client";

import { useLoaded } from "../../ui/data.tsx";
import { useGestures } from "../../ui/gestures.ts";
import { type Cluster, clustersOf, type Mark, namedOf, shortOf } from "./clusters.ts";
import {
  dragged,
  lineOf,
  pathOf,
  type Point,
  projectionOf,
  type Size,
  type View,
  viewOf,
  within,
  WORLD,
  zoomed,
} from "./geometry.ts";

export type Way = {
  readonly key: string;
  readonly points: readonly Point[];
  readonly isPast: boolean;
  /** A great circle: it goes over land, or no way at sea is known. */
  readonly isDirect: boolean;
};

type MapProps = {
  readonly label: string;
  readonly marks: readonly Mark[];
  readonly ways: readonly Way[];
  /** The key of the mark that the page tells more of. */
  readonly picked?: string | null;
  readonly onPick?: (key: string) => void;
  readonly children?: ComponentChildren;
};

const STEP_PX = 64;
const ZOOM_STEP = 1.6;

export function WorldMap({ label, marks, ways, picked = null, onPick, children }: MapProps) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const land = useLoaded(loadLand, []);
  const [moved, setMoved] = useState<View | null>(null);
  const fitted = useMemo(() => {
    const all = [...marks.map(({ at }) => at), ...ways.flatMap(({ points }) => points)];
    return size.width === 0 ? WORLD : viewOf(all, size);
  }, [marks, ways, size]);
  const view = moved ?? fitted;
  const drawn = useDrawn({ size, view, land, marks, ways });
  const named = namedOf(drawn.clusters, size.width);
  const now = useRef(view);
  now.current = view;
  const change = (turn: (from: View) => View): void => setMoved(turn(now.current));
  const zoom = (factor: number, at: Point = [size.width / 2, size.height / 2]): void =>
    change((from) => zoomed(from, size, factor, at));
  const pan = (byX: number, byY: number): void => change((from) => dragged(from, size, byX, byY));
  useGestures(box, { drag: (byX, byY, fingers) => fingers === 1 && pan(byX, byY), zoom });
  const pickCluster = ({ marks: inside }: Cluster): void => {
    const [only] = inside;
    if (inside.length === 1 && only !== undefined) onPick?.(only.key);
    else setMoved(closer(inside, size, now.current));
  };
  const pressed = (event: KeyboardEvent): void => {
    const action = actionOf(event.key, { pan, zoom, reset: () => setMoved(null) });
    if (action === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  };
  return (
    <div class="map">
      <div
        ref={box}
        class="map-view"
        tabIndex={0}
        role="group"
        aria-label={`${label}. Arrow keys move it, plus and minus zoom, 0 shows all.`}
        onKeyDown={pressed}
      >
        {size.width > 0 && (
          <svg viewBox={`0 0 ${size.width} ${size.height}`} {...size} role="img" aria-label={label}>
            <path class="map-grid" d={drawn.grid} />
            <path class="map-land" d={drawn.coast} />
            {drawn.ways.map(({ key, isPast, d }) => (
              <path key={key} class={isPast ? "map-way past" : "map-way coming"} d={d} />
            ))}
            {drawn.clusters.map((cluster) => (
              <MarkOf
                key={cluster.key}
                of={cluster}
                nameAside={named.get(cluster.key) ?? null}
                picked={picked}
                onPick={() => pickCluster(cluster)}
              />
            ))}
          </svg>
        )}
        <div class="map-keys">
          <button type="button" aria-label="Zoom in" onClick={() => zoom(ZOOM_STEP)}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={() => zoom(1 / ZOOM_STEP)}>
            −
          </button>
          <button
            type="button"
            aria-label="Show all"
            disabled={moved === null}
            onClick={() => setMoved(null)}
          >
            ⤢
          </button>
        </div>
      </div>
      <Legend of={drawn} picked={picked} />
      {children}
    </div>
  );
}

type Moves = {
  readonly pan: (byX: number, byY: number) => void;
  readonly zoom: (factor: number) => void;
  readonly reset: () => void;
};

function actionOf(key: string, { pan, zoom, reset }: Moves): (() => void) | null {
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => pan(STEP_PX, 0),
    ArrowRight: () => pan(-STEP_PX, 0),
    ArrowUp: () => pan(0, STEP_PX),
    ArrowDown: () => pan(0, -STEP_PX),
    "+": () => zoom(ZOOM_STEP),
    "=": () => zoom(ZOOM_STEP),
    "-": () => zoom(1 / ZOOM_STEP),
    "0": reset,
  };
  return actions[key] ?? null;
}

/** Marks of one place never part: the view comes closer all the same. */
function closer(marks: readonly Mark[], size: Size, from: View): View {
  const fitted = viewOf(
    marks.map(({ at }) => at),
    size,
  );
  return within({ ...fitted, zoom: Math.max(fitted.zoom, from.zoom * 2) }, size);
}

function useSize(box: { readonly current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const at = box.current;
    if (at === null) return undefined;
    const measure = (): void => setSize({ width: at.clientWidth, height: at.clientHeight });
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(at);
    return () => resized.disconnect();
  }, []);
  return size;
}

type DrawnProps = Pick<MapProps, "marks" | "ways"> & {
  readonly size: Size;
  readonly view: View;
  readonly land: GeoPermissibleObjects | null;
};

/** What is in sight. */
type Drawn = {
  readonly grid: string;
  readonly coast: string;
  readonly ways: readonly (Way & { readonly d: string })[];
  readonly clusters: readonly Cluster[];
};

function useDrawn({ size, view, land, marks, ways }: DrawnProps): Drawn {
  const { width, height } = size;
  const { lon, lat, zoom } = view;
  const projection = useMemo(() => projectionOf(view, size), [lon, lat, zoom, width, height]);
  const path = useMemo(() => pathOf(projection), [projection]);
  const project = (at: Point) => projection([at[0], at[1]]) as readonly [number, number] | null;
  return {
    grid: useMemo(() => path(GRATICULE) ?? "", [path]),
    coast: useMemo(() => (land === null ? "" : (path(land) ?? "")), [path, land]),
    ways: useMemo(
      () =>
        ways.flatMap((way) => {
          const d = path(lineOf(way.points));
          return d === null ? [] : [{ ...way, d }];
        }),
      [path, ways],
    ),
    clusters: clustersOf(marks, project, size),
  };
}

type MarkProps = {
  readonly of: Cluster;
  /** Null: there is no room for its name. */
  readonly nameAside: number | null;
  readonly picked: string | null;
  readonly onPick: () => void;
};

function MarkOf({ of: cluster, nameAside, picked, onPick }: MarkProps) {
  const { x, y, marks, count } = cluster;
  const [only] = marks;
  if (only === undefined) return null;
  const isMany = isSeveral(cluster);
  const title = isMany ? marks.map((mark) => mark.name).join(", ") : only.name;
  return (
    <g
      class={isPicked(cluster, picked) ? "map-mark picked" : "map-mark"}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
      onClick={onPick}
    >
      <title>{title}</title>
      <circle class="map-touch" r="20" />
      <Sign of={cluster} />
      {isMany ? (
        <text class="map-count" y="4">
          {count.toLocaleString()}
        </text>
      ) : (
        nameAside !== null && (
          <text class="map-name" x={nameAside} y={shownOf(cluster).kind === "port" ? -10 : 22}>
            {shortOf(only.name)}
            {count > 1 && ` · ${count.toLocaleString()}`}
          </text>
        )
      )}
    </g>
  );
}

function isPicked({ marks }: Cluster, picked: string | null): boolean {
  return marks.some(({ key }) => key === picked);
}

/** With numbers; places of one way that lie on each other are one place. */
function isSeveral({ marks, count }: Cluster): boolean {
  return marks.length > 1 && count > 0;
}

function shownOf({ marks }: Cluster): Mark {
  return marks.find(({ kind }) => kind === "vessel") ?? marks[0]!;
}

function Sign({ of: cluster }: { readonly of: Cluster }) {
  const { kind, isEstimated, course } = shownOf(cluster);
  if (isSeveral(cluster))
    return <circle class="map-cluster" r={11 + Math.min(9, Math.log2(cluster.count + 1) * 1.4)} />;
  if (kind === "port")
    return <circle class={isEstimated ? "map-port coming" : "map-port"} r={cluster.count > 0 ? 6 : 5} />;
  return (
    <path
      class={isEstimated ? "map-vessel estimated" : "map-vessel"}
      d="M0 -11 L6 8 L0 4.5 L-6 8 Z"
      transform={`rotate(${course ?? 0})`}
    />
  );
}

/** All that is in sight, with the signs of the map. */
function Legend({ of: { ways, clusters }, picked }: { readonly of: Drawn; readonly picked: string | null }) {
  const signs = Map.groupBy(clusters, meaningOf);
  const isDrawn = (is: boolean): boolean => ways.some(({ isPast }) => isPast === is);
  return (
    <ul class="map-legend">
      {isDrawn(true) && <LegendWay isPast>way so far</LegendWay>}
      {isDrawn(false) && <LegendWay>way to come</LegendWay>}
      {MEANINGS.flatMap((meaning) => {
        const [example] = signs.get(meaning) ?? [];
        if (example === undefined) return [];
        const marks = example.marks.map((mark) => ({ ...mark, course: null }));
        return (
          <li key={meaning}>
            <svg class="map-sign" viewBox="-13 -13 26 26" aria-hidden="true">
              <Sign of={{ ...example, marks, count: Math.min(1, example.count) }} />
            </svg>
            {meaning}
          </li>
        );
      })}
      {clusters.some((cluster) => isPicked(cluster, picked)) && (
        <li>
          <span class="map-chosen" /> shown below
        </li>
      )}
      {ways.some(({ isDirect }) => isDirect) && (
        <li class="quiet">Great circles: over land, or where no way at sea is known</li>
      )}
    </ul>
  );
}

function LegendWay({ isPast = false, children }: { readonly isPast?: boolean; readonly children: string }) {
  return (
    <li>
      <svg class="map-sign" viewBox="0 -13 26 26" aria-hidden="true">
        <path class={isPast ? "map-way past" : "map-way coming"} d="M1 0H25" />
      </svg>
      {children}
    </li>
  );
}

const MEANINGS = [
  "vessel by AIS",
  "vessel, reckoned from its times",
  "port or place passed",
  "port or place to come",
  "port or place with containers",
  "several, and how many containers",
] as const;

function meaningOf(cluster: Cluster): (typeof MEANINGS)[number] {
  if (isSeveral(cluster)) return "several, and how many containers";
  const { kind, isEstimated } = shownOf(cluster);
  if (kind === "vessel") return isEstimated ? "vessel, reckoned from its times" : "vessel by AIS";
  if (cluster.count > 0) return "port or place with containers";
  return isEstimated ? "port or place to come" : "port or place passed";
}

const GRATICULE: GeoPermissibleObjects = geoGraticule10();

let land: Promise<GeoPermissibleObjects | null> | null = null;

/** Null: it could not be loaded. */
function loadLand(): Promise<GeoPermissibleObjects | null> {
  land ??= import("world-atlas/land-110m.json").then(
    ({ default: topology }) =>
      feature(topology as never, (topology as never as Topology).objects.land as never),
    () => {
      land = null;
      return null;
    },
  );
  return land;
}

type Topology = { readonly objects: { readonly land: object } };
