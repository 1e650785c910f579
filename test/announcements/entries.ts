/** Changelog entries for tests. */
import type { ChangelogEntry } from "../../src/freight/announcements/entry.ts";

/** An entry like any other, announced on a day. */
export function entryOn(day: string, fields: Partial<ChangelogEntry> = {}): ChangelogEntry {
  return {
    id: `${day}-entry`,
    type: "added",
    axis: "shape",
    title: "A field more",
    detail: "There is a field more.",
    announced_at: day,
    effective_at: day,
    surfaces: ["webhooks"],
    endpoints: [],
    action_required: false,
    ...fields,
  };
}

export const PUBLICATION = {
  product: "tracking",
  versions: ["2026-06-01", "2026-08-19"],
  baseUrl: "https://api.example.com/tracking",
};
