/** What `api_change_announced` carries (spec 6.5). */
import type { Product } from "../../model/product.ts";
import { noticeDays, type ChangelogEntry } from "./entry.ts";

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

/** What the versions are, and where more is said of them and of their changes. */
export function publishedVersions({ versions, baseUrl }: Publication) {
  return {
    oldest_supported_version: versions[0]!,
    latest_version: versions.at(-1)!,
    changelog_url: `${baseUrl}/changelog.json`,
    versions_url: `${baseUrl}/versions.json`,
  };
}

export function announcementOf(entry: ChangelogEntry, publication: Publication) {
  return { ...publishedEntry(entry), ...publishedVersions(publication) };
}
