/** The coasts, which are bundled and loaded when somebody first opens a map. */
import { geoGraticule10 } from "d3-geo";
import { feature } from "topojson-client";
import type { GeoPermissibleObjects } from "d3-geo";

export const GRATICULE: GeoPermissibleObjects = geoGraticule10();

let land: Promise<GeoPermissibleObjects | null> | null = null;

/** Null: it could not be loaded. */
export function loadLand(): Promise<GeoPermissibleObjects | null> {
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
