/** A feed's entry in the schedules file (docs/schedules.md). */
import { Type, type Static } from "typebox";

import { ParametersSchema, upstreamFields } from "../../../freight/upstream/upstream-schema.ts";

/** By standard and resource: Commercial Schedules 1.0, Operational Vessel Schedules 3.0. */
export const FEED_KINDS = [
  "cs-vessel-schedules",
  "cs-port-schedules",
  "cs-point-to-point",
  "ovs-service-schedules",
] as const;

export type FeedKind = (typeof FEED_KINDS)[number];

/** Entries of each list of services, vessels, ports or pairs. */
const SELECTORS_MAX = 500;

const Unlocode = Type.String({
  pattern: "^[A-Z]{2}[A-Z2-9]{3}$",
  form: "a UN/LOCODE: two capital letters, then three capital letters or digits from 2 to 9",
});

const selectorList = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: SELECTORS_MAX }));

const Days = (most: number) => Type.Optional(Type.Integer({ minimum: 0, maximum: most }));

export const FeedSchema = Type.Object(
  {
    name: Type.String({
      pattern: "^[a-z0-9][a-z0-9-]{0,62}$",
      form: "small letters, digits and hyphens, 63 at most",
      description: "The feed's name in paths and in the log.",
    }),
    carrier: Type.String({
      pattern: "^[A-Z]{2,4}$",
      form: "two to four capital letters",
      description: "The SCAC of the carrier whose schedules these are.",
    }),
    smdg: Type.Optional(
      Type.String({
        pattern: "^[A-Z0-9]{2,4}$",
        form: "two to four capital letters or digits",
        description: "The carrier's SMDG liner code, for feeds that list a service's partners by it.",
      }),
    ),
    kind: Type.Enum([...FEED_KINDS]),
    url: Type.Optional(
      Type.String({
        pattern: "^https?://[^\\s?#@]+$",
        form: "a URL that begins with https:// or http://, without user, query and fragment",
        maxLength: 1024,
        description: "The whole address to poll; without it the feed is pushed only.",
      }),
    ),
    ...upstreamFields,
    parameters: Type.Optional(
      Type.Unsafe<Static<typeof ParametersSchema>>({
        ...ParametersSchema,
        description: "More query parameters; an empty one removes a default one.",
      }),
    ),
    services: selectorList(
      Type.String({ minLength: 1, maxLength: 50, description: "The carrier's service code." }),
    ),
    vessels: selectorList(Type.String({ pattern: "^[0-9]{7}$", form: "an IMO number of seven digits" })),
    ports: selectorList(Unlocode),
    pairs: selectorList(Type.Object({ from: Unlocode, to: Unlocode }, { additionalProperties: false })),
    daysAhead: Days(365),
    daysBehind: Days(90),
    every: Type.Optional(Type.String({ maxLength: 20, description: "The time between two fetches: `6h`." })),
    secret: Type.Optional(
      Type.String({
        pattern: "^[\\x21-\\x7e]{16,200}$",
        form: "16 to 200 printable ASCII characters without spaces",
        description: "A token that pushes this feed alone, in place of the operator's token.",
      }),
    ),
  },
  { additionalProperties: false },
);

export type Feed = Static<typeof FeedSchema>;

export type PolledFeed = Feed & { readonly url: string };

export function isPolled(feed: Feed): feed is PolledFeed {
  return feed.url !== undefined;
}
