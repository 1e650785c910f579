/** The AIS file: the feed that is polled for vessel reports (docs/ais.md). */
import { Type, type Static } from "typebox";

import { validatorOf } from "../../../../model/validation-error.ts";
import { HOUR_MS } from "../../../../runtime/durations.ts";
import { upstreamFields } from "../../../../freight/upstream/upstream-schema.ts";
import { readUpstreamFile } from "../../../../freight/upstream/upstream-file.ts";

/** Where a field is in the answer: names, and indices of lists, with dots between them. */
const Path = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "^[^.]+(\\.[^.]+)*$",
  form: "names with dots between them",
});

const FeedSchema = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    url: Type.String({
      pattern: "^https?://[^\\s#@{]*\\{imo\\}[^\\s#@]*$",
      form: "a URL that begins with https:// or http:// and has {imo} in it, without user and fragment",
      maxLength: 2048,
      description: "With {imo} where the vessel's IMO number goes.",
    }),
    ...upstreamFields,
    requestsMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    /** A vessel with a fresher report is not polled again. */
    freshMs: Type.Optional(Type.Integer({ minimum: 30_000, maximum: HOUR_MS })),
    fields: Type.Object(
      {
        status: Path,
        at: Path,
        imo: Type.Optional(Path),
        latitude: Type.Optional(Path),
        longitude: Type.Optional(Path),
        course: Type.Optional(Path),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

export type AisFeed = Static<typeof FeedSchema>;

export type ReadAisFile =
  | { readonly kind: "feed"; readonly feed: AisFeed }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

export function readAisFile(text: string): ReadAisFile {
  const read = readUpstreamFile("AIS", text, validatorOf(FeedSchema), (feed) =>
    URL.canParse(urlFor(feed, "0000000")) ? [] : ["/url is no URL"],
  );
  return read.kind === "invalid" ? read : { kind: "feed", feed: read.value };
}

export function urlFor({ url }: AisFeed, imo: string): string {
  return url.replaceAll("{imo}", imo);
}
