/** Where an account's containers are, as clients see it. */
import type { shipmentPositions } from "../../../freight/tracking/store/shipments.sql.ts";
import type { RowOf } from "../../../store/sql.ts";
import type { MapPosition, MapStop } from "../record/map-position.ts";
import { readImo } from "../sources/ais/navigational-status.ts";
import type { readVesselPositions } from "../store/vessels.ts";
import type { PositionView, VesselPositionView } from "./container-schema.ts";

type Row = RowOf<typeof shipmentPositions>;

export type VesselPositions = Awaited<ReturnType<typeof readVesselPositions>>;

export type PositionRows = { readonly position: MapPosition; readonly rows: readonly Row[] };

/** The order of the rows stays. */
export function positionsIn(rows: readonly Row[]): readonly PositionRows[] {
  return [...Map.groupBy(rows, ({ position }) => position)].map(([text, all]) => ({
    position: JSON.parse(text) as MapPosition,
    rows: all,
  }));
}

export function imoOf({ vessel }: Pick<MapPosition, "vessel">): string | null {
  return readImo(vessel?.imo ?? null);
}

export function positionViews(
  found: readonly PositionRows[],
  vessels: VesselPositions,
): readonly PositionView[] {
  return found.map(({ position, rows }) => {
    const { vessel, from, to } = position;
    return {
      vessel,
      vessel_position: vesselPositionView(imoOf(position), vessels, from.atMs),
      place: placeOf(from),
      departed_at: timeOf(from),
      next_place: to === null ? null : placeOf(to),
      arrives_at: to === null ? null : timeOf(to),
      containers: rows[0]?.count ?? 0,
      newest: rows.map(({ id, reference, status }) => ({ id, reference, status })),
    };
  });
}

/** A report from before the departure is of an earlier voyage. */
export function vesselPositionView(
  imo: string | null,
  vessels: VesselPositions,
  sinceMs: number | null,
): VesselPositionView | null {
  const found = imo === null ? undefined : vessels.get(imo);
  if (imo === null || found === undefined || (sinceMs !== null && found.seenAt.getTime() < sinceMs))
    return null;
  const { latitude, longitude, course, seenAt } = found;
  return { imo, latitude, longitude, course, seen_at: seenAt.toISOString() };
}

function placeOf({ unlocode, name, latitude, longitude }: MapStop): PositionView["place"] {
  return { unlocode, name, latitude, longitude };
}

function timeOf({ atMs }: MapStop): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
