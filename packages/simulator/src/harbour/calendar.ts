/** Days by the calendar of a place. */
import { PLACES, type PlaceCode } from "../world/places.ts";

/** `YYYY-MM-DD`; `days` may be negative. */
export function dayAfter(atMs: number, place: PlaceCode, days: number): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(PLACES[place].zone);
  return zoned.toPlainDate().add({ days }).toString();
}
