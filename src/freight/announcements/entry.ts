/** An entry of the API's changelog, as its file holds it (spec 6.5, docs/announcements.md). */
import Type, { type Static } from "typebox";

import { utcDay } from "../../model/instant.ts";
import { CalendarDate } from "../../model/data-types.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import type { Product } from "../../model/product.ts";

const Line = Type.String({ minLength: 1, maxLength: 200, pattern: "^[^\\n]+$" });
const Text = Type.String({ minLength: 1, maxLength: 10_000 });

export const ChangelogEntry = Type.Object(
  {
    id: Type.String({
      pattern: "^[a-z0-9][a-z0-9.-]{0,98}[a-z0-9]$",
      description: "small letters, digits, dots and hyphens; the same for ever, and the name of the file",
    }),
    type: Type.Enum(["breaking", "added", "fixed", "deprecated"]),
    axis: Type.Enum(["shape", "behaviour", "platform"]),
    title: Line,
    detail: Text,
    announced_at: CalendarDate,
    effective_at: CalendarDate,
    surfaces: Type.Array(Line, { minItems: 1, maxItems: 50 }),
    endpoints: Type.Array(Line, { maxItems: 200 }),
    carriers: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z]{2,4}$" }), { minItems: 1, maxItems: 200 }),
    ),
    parser_versions: Type.Optional(Type.Array(Line, { minItems: 1, maxItems: 50 })),
    api_version: Type.Optional(CalendarDate),
    action_required: Type.Boolean(),
    action_detail: Type.Optional(Text),
  },
  { additionalProperties: false },
);

export type ChangelogEntry = Readonly<Static<typeof ChangelogEntry>>;

/** Days of notice; 0 means none. */
export function noticeDays({ announced_at, effective_at }: ChangelogEntry): number {
  return (Date.parse(effective_at) - Date.parse(announced_at)) / DAY_MS;
}

export function isAnnounced(entry: ChangelogEntry, atMs: number): boolean {
  return entry.announced_at <= utcDay(atMs);
}

/** What is the same for every announcement of one installation. */
export type Publication = {
  /** The product's tag. */
  readonly product: Product["tag"];
  readonly versions: Product["versions"];
  /** The product's base address as clients know it, without a slash at the end. */
  readonly baseUrl: string;
};

/** The entry with its days of notice; what does not apply is absent, never null. */
export function publishedEntry(entry: ChangelogEntry) {
  return { notice_days: noticeDays(entry), ...entry };
}

/** The supported versions, and where clients read about them and their changes. */
export function publishedVersions({ versions, baseUrl }: Publication) {
  return {
    oldest_supported_version: versions[0]!,
    latest_version: versions.at(-1)!,
    changelog_url: `${baseUrl}/changelog.json`,
    versions_url: `${baseUrl}/versions.json`,
  };
}

/** The data of `api_change_announced` (spec 6.5). */
export function announcementOf(entry: ChangelogEntry, publication: Publication) {
  return { ...publishedEntry(entry), ...publishedVersions(publication) };
}
