/** The AIS file: the feed that is polled for vessel reports (docs/ais.md). */
import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";

import { HOUR_MS } from "../../../../runtime/durations.ts";
import { upstreamFields } from "../../../../freight/upstream/upstream-schema.ts";
import { fileProblems } from "../../../../freight/upstream/file-problems.ts";

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
      pattern: "^https?://[^\\s#@]*\\{imo\\}[^\\s#@]*$",
      form: "a URL that begins with https:// or http:// and has {imo} in it, without user and fragment",
      maxLength: 2048,
      description: "With {imo} where the vessel's IMO number goes.",
    }),
    ...upstreamFields,
    requestsMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    /** A vessel with a fresher report is not polled again. */
    freshMs: Type.Optional(Type.Integer({ minimum: 30_000, maximum: HOUR_MS })),
    fields: Type.Object(
      { status: Path, at: Path, imo: Type.Optional(Path) },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

export type AisFeed = Static<typeof FeedSchema>;

const compiled = Compile(FeedSchema);

export type ReadAisFile =
  | { readonly kind: "feed"; readonly feed: AisFeed }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** The problems name places and rules, never values: those are secrets. */
export function readAisFile(text: string): ReadAisFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "invalid", problems: ["the AIS file is not JSON"] };
  }
  if (!compiled.Check(value))
    return { kind: "invalid", problems: fileProblems(FeedSchema, compiled.Errors(value)) };
  const problems = [
    ...(URL.canParse(urlFor(value, "0000000")) ? [] : ["/url is no URL"]),
    ...(value.oauth === undefined || URL.canParse(value.oauth.tokenUrl) ? [] : ["/oauth/tokenUrl is no URL"]),
  ];
  return problems.length === 0 ? { kind: "feed", feed: value } : { kind: "invalid", problems };
}

export function urlFor({ url }: AisFeed, imo: string): string {
  return url.replaceAll("{imo}", imo);
}
