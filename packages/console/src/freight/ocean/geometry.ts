/** Ways over the globe, and the view of the map. */
import { geoInterpolate, geoMercator, geoPath, type GeoProjection } from "d3-geo";

/** Longitude, latitude. */
export type Point = readonly [number, number];

export type View = {
  readonly lon: number;
  readonly lat: number;
  /** 1 shows the whole width of the world. */
  readonly zoom: number;
};

const ZOOM_MAX = 40;
const LAT_MAX = 78;
/** Ways are bent so finely that one sees no corner. */
const PRECISION_PX = 0.2;
/** What one sees with a single place on the map. */
const ZOOM_FITTED_MAX = 6;
const MARGIN = 0.72;

export const WORLD: View = { lon: 20, lat: 20, zoom: 1 };

export type Size = { readonly width: number; readonly height: number };

/** The meridian opposite the middle cuts the map, so that no way breaks in sight. */
export function projectionOf({ lon, lat, zoom }: View, { width, height }: Size): GeoProjection {
  const scale = (Math.max(width, 1) / (2 * Math.PI)) * zoom;
  const projection = geoMercator()
    .precision(PRECISION_PX)
    .rotate([-lon, 0])
    .scale(scale)
    .translate([width / 2, height / 2]);
  const [, y = 0] = projection([lon, lat]) ?? [];
  return projection.translate([width / 2, height - y]).clipExtent([
    [-64, -64],
    [width + 64, height + 64],
  ]);
}

/** The world is a square, and a flat map shows all of it if it is small. */
export function within({ lon, lat, zoom }: View, { width, height }: Size): View {
  return {
    lon: ((((lon + 180) % 360) + 360) % 360) - 180,
    lat: Math.max(-LAT_MAX, Math.min(LAT_MAX, lat)),
    zoom: Math.max(Math.min(1, height / width), Math.min(ZOOM_MAX, zoom)),
  };
}

/** Where the middle is after the map was dragged by pixels. */
export function dragged(view: View, size: Size, byX: number, byY: number): View {
  const projection = projectionOf(view, size);
  const [, lat = view.lat] = projection.invert?.([size.width / 2, size.height / 2 - byY]) ?? [];
  return within({ ...view, lon: view.lon - (byX * 360) / (size.width * view.zoom), lat }, size);
}

/** What lies under the pointer stays there. */
export function zoomed(view: View, size: Size, factor: number, at: Point): View {
  const next = within({ ...view, zoom: view.zoom * factor }, size);
  const share = 1 - view.zoom / next.zoom;
  const moved = dragged(view, size, (size.width / 2 - at[0]) * share, (size.height / 2 - at[1]) * share);
  return { ...moved, zoom: next.zoom };
}

/** The view that shows all points, turned so that they lie together: of the Pacific, its two coasts. */
export function viewOf(points: readonly Point[], { width, height }: Size): View {
  const [first] = points;
  if (first === undefined) return WORLD;
  const lons = points.map(([lon]) => lon).toSorted((one, other) => one - other);
  const gaps = lons.map((lon, index) => [(lons[index + 1] ?? lons[0]! + 360) - lon, index] as const);
  const [gap, index] = gaps.reduce((widest, one) => (one[0] > widest[0] ? one : widest));
  const west = lons[(index + 1) % lons.length]!;
  const span = 360 - gap;
  const heights = points.map(([, lat]) => mercatorY(lat));
  const [top, bottom] = [Math.max(...heights), Math.min(...heights)];
  const zoom = Math.min(
    // All longitudes are in sight at 1.
    Math.max(1, (360 / Math.max(span, 1e-6)) * MARGIN),
    ((height / width) * 2 * Math.PI * MARGIN) / Math.max(top - bottom, 1e-6),
    ZOOM_FITTED_MAX,
  );
  const lat = ((2 * Math.atan(Math.exp((top + bottom) / 2)) - Math.PI / 2) * 180) / Math.PI;
  return within({ lon: west + span / 2, lat, zoom }, { width, height });
}

function mercatorY(lat: number): number {
  const angle = (Math.max(-85, Math.min(85, lat)) * Math.PI) / 180;
  return Math.log(Math.tan(Math.PI / 4 + angle / 2));
}

const RAD = Math.PI / 180;

/** Degrees from north. */
export function bearing([fromLon, fromLat]: Point, [toLon, toLat]: Point): number {
  const turn = (toLon - fromLon) * RAD;
  const y = Math.sin(turn) * Math.cos(toLat * RAD);
  const x =
    Math.cos(fromLat * RAD) * Math.sin(toLat * RAD) -
    Math.sin(fromLat * RAD) * Math.cos(toLat * RAD) * Math.cos(turn);
  return (Math.atan2(y, x) / RAD + 360) % 360;
}

/** Along the great circle, in radians. d3's takes ten times as long. */
export function distanceRad([fromLon, fromLat]: Point, [toLon, toLat]: Point): number {
  const height = Math.sin(((toLat - fromLat) * RAD) / 2) ** 2;
  const width = Math.sin(((toLon - fromLon) * RAD) / 2) ** 2;
  return 2 * Math.asin(Math.sqrt(height + Math.cos(fromLat * RAD) * Math.cos(toLat * RAD) * width));
}

export function isApart(one: Point, other: Point): boolean {
  return distanceRad(one, other) > 1e-3;
}

/** Part by part, for what must be in sight: a great circle goes far out of the line between its ends. */
export function greatCircle(from: Point, to: Point): readonly Point[] {
  const along = geoInterpolate([...from], [...to]);
  return [from, along(0.25), along(0.5), along(0.75), to];
}

export type Cut = { readonly past: readonly Point[]; readonly coming: readonly Point[] };

/** Ends and begins where this share of the length lies behind. */
export function cutAt(points: readonly Point[], share: number): Cut {
  const lengths = points.slice(1).map((to, index) => distanceRad(points[index]!, to));
  let rest = share * lengths.reduce((sum, length) => sum + length, 0);
  const index = lengths.findIndex((length) => (rest -= length) <= 0);
  if (index === -1) return { past: points, coming: points.slice(-1) };
  const [from, to] = [points[index]!, points[index + 1]!];
  const at = geoInterpolate([...from], [...to])(lengths[index] === 0 ? 1 : 1 + rest / lengths[index]!);
  return { past: [...points.slice(0, index + 1), at], coming: [at, ...points.slice(index + 1)] };
}

/** The share of the time that has passed: no ship is beyond either end. */
export function shareOf(startMs: number, endMs: number, nowMs: number): number {
  const share = endMs > startMs ? (nowMs - startMs) / (endMs - startMs) : 0;
  return Math.max(0.02, Math.min(0.98, share));
}

/** Draws to a tenth of a pixel. */
export function pathOf(projection: GeoProjection) {
  return geoPath(projection).digits(1);
}

export function lineOf(points: readonly Point[]) {
  return { type: "LineString" as const, coordinates: points.map(([lon, lat]) => [lon, lat]) };
}
