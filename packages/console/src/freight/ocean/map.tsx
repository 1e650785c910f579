/**
 * A map of the world without tiles: coasts, ways along great circles, ports and vessels. One drags it with a pointer, two
 * fingers or the arrow keys. It is a picture to a screen reader: what is on it stands as a list beside it.
 */
import { geoGraticule10, type GeoPermissibleObjects } from "d3-geo";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { feature } from "topojson-client";

import { useLoaded } from "../../ui/data.tsx";
import { useGestures } from "../../ui/gestures.ts";
import { type Cluster, clustersOf, type Mark, namedOf, shortOf } from "./clusters.ts";
import {
  arcOf,
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
  const all = [...marks.map(({ at }) => at), ...ways.flatMap(({ points }) => arcOf(points))];
  const fitted = size.width === 0 ? WORLD : viewOf(all, size);
  const view = moved ?? fitted;
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
        {size.width > 0 && <Drawing {...{ label, size, view, land, marks, ways, picked, pickCluster }} />}
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
  return within({ ...fitted, zoom: Math.max(fitted.zoom, from.zoom * 2) });
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

type DrawingProps = Pick<MapProps, "label" | "marks" | "ways"> & {
  readonly size: Size;
  readonly view: View;
  readonly land: GeoPermissibleObjects | null;
  readonly picked: string | null;
  readonly pickCluster: (cluster: Cluster) => void;
};

function Drawing({ label, size, view, land, marks, ways, picked, pickCluster }: DrawingProps) {
  const { width, height } = size;
  const { lon, lat, zoom } = view;
  const projection = useMemo(() => projectionOf(view, size), [lon, lat, zoom, width, height]);
  const path = useMemo(() => pathOf(projection), [projection]);
  const coast = useMemo(() => (land === null ? "" : (path(land) ?? "")), [path, land]);
  const grid = useMemo(() => path(GRATICULE) ?? "", [path]);
  const project = (at: Point) => projection([at[0], at[1]]) as readonly [number, number] | null;
  const clusters = clustersOf(marks, project, size);
  const named = namedOf(clusters);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
      <path class="map-grid" d={grid} />
      <path class="map-land" d={coast} />
      {ways.map(({ key, points, isPast }) => (
        <path key={key} class={isPast ? "map-way past" : "map-way coming"} d={path(lineOf(points)) ?? ""} />
      ))}
      {clusters.map((cluster) => (
        <MarkOf
          key={cluster.key}
          of={cluster}
          isNamed={named.has(cluster.key)}
          picked={picked}
          onPick={() => pickCluster(cluster)}
        />
      ))}
    </svg>
  );
}

type MarkProps = {
  readonly of: Cluster;
  readonly isNamed: boolean;
  readonly picked: string | null;
  readonly onPick: () => void;
};

function MarkOf({ of: { x, y, marks, count }, isNamed, picked, onPick }: MarkProps) {
  const [only] = marks;
  if (only === undefined) return null;
  const isPicked = marks.some(({ key }) => key === picked);
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  const isMany = marks.length > 1 && count > 0;
  const name = shortOf(only.name);
  const title = isMany ? marks.map((mark) => mark.name).join(", ") : only.name;
  const vessel = marks.find(({ kind }) => kind === "vessel") ?? null;
  return (
    <g class={`map-mark ${isPicked ? "picked" : ""}`} transform={at} onClick={onPick}>
      <title>{title}</title>
      <circle class="map-touch" r="20" />
      {isMany ? (
        <circle class="map-cluster" r={11 + Math.min(9, Math.log2(count + 1) * 1.4)} />
      ) : vessel !== null ? (
        <path
          class={vessel.isEstimated ? "map-vessel estimated" : "map-vessel"}
          d="M0 -11 L6 8 L0 4.5 L-6 8 Z"
          transform={`rotate(${vessel.course ?? 0})`}
        />
      ) : (
        <circle class={only.isEstimated ? "map-port coming" : "map-port"} r={count > 0 ? 6 : 5} />
      )}
      {isMany ? (
        <text class="map-count" y="4">
          {count.toLocaleString()}
        </text>
      ) : (
        isNamed && (
          <text class="map-name" y={vessel === null ? -10 : 22}>
            {name}
            {count > 1 && ` · ${count.toLocaleString()}`}
          </text>
        )
      )}
    </g>
  );
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
