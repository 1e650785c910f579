import Type from "typebox";

import type { Changelog } from "./changelog.ts";
import { ChangelogEntry, isAnnounced, publishedEntry, publishedVersions, type Publication } from "./entry.ts";
import { CalendarDate } from "../../model/data-types.ts";
import type { Listener } from "../../http/listener.ts";
import type { ProductContext } from "../../http/ports.ts";
import { publicDocumentRoute } from "../../http/public-document.ts";

const versions = {
  oldest_supported_version: Type.String({ description: "answers a request that pins none" }),
  latest_version: Type.String(),
  changelog_url: Type.String(),
  versions_url: Type.String(),
};

const ChangelogSchema = Type.Object(
  {
    ...versions,
    entries: Type.Array(
      Type.Object({
        notice_days: Type.Integer({ description: "days from announced_at to effective_at" }),
        ...ChangelogEntry.properties,
      }),
      { description: "announced entries, the latest first" },
    ),
  },
  { title: "Changelog" },
);

const VersionsSchema = Type.Object(
  {
    ...versions,
    versions: Type.Array(
      Type.Object({
        version: Type.String({ description: "what Api-Version takes" }),
        announced_at: CalendarDate,
        effective_at: CalendarDate,
      }),
      { description: "supported versions, the oldest first" },
    ),
  },
  { title: "Versions" },
);

/** `GET /changelog.json` and `GET /versions.json` without a key (spec 9: supported_versions) */
export function changelogRoutes(
  app: Listener,
  context: ProductContext,
  changelog: Changelog,
  publication: Publication,
): void {
  const { clock } = context;
  publicDocumentRoute(app, context, {
    path: "/changelog.json",
    operationId: "readChangelog",
    summary: "The changes of this API",
    description: "Every announced change, as in api_change_announced.",
    mediaType: "application/json",
    schema: ChangelogSchema,
    text() {
      const announced = changelog.filter((entry) => isAnnounced(entry, clock.nowMs()));
      const entries = announced.toReversed().map(publishedEntry);
      return JSON.stringify({ ...publishedVersions(publication), entries });
    },
  });
  const served = publication.versions.map((version) => {
    const { announced_at, effective_at } = changelog.find(({ api_version }) => api_version === version)!;
    return { version, announced_at, effective_at };
  });
  const text = JSON.stringify({ ...publishedVersions(publication), versions: served });
  publicDocumentRoute(app, context, {
    path: "/versions.json",
    operationId: "readVersions",
    summary: "The versions of this API",
    description: "The supported versions, with their dates.",
    mediaType: "application/json",
    schema: VersionsSchema,
    text: () => text,
  });
}
