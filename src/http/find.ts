/** One search for all there is: what it takes a text for, and what it finds, each with what a link needs. */
import Type from "typebox";

import { nullable, UtcDateTime } from "../model/data-types.ts";
import { around, moment } from "../model/in-words.ts";
import type { JsonObject } from "../model/json.ts";
import type { Product } from "../model/product.ts";
import { wantedReference } from "../model/references.ts";
import { createSummaries, type SummaryOf } from "../model/summaries.ts";
import { readUuid } from "../model/uuid.ts";
import { FOUND_MAX, type FoundEndpoint, type FoundInCell, type Wanted } from "../store/search/find.ts";
import type { DeliveryOfEvent, FoundEvent } from "../store/search/events.ts";
import { MANY_REFERENCES } from "./log-page.ts";
import type { Fields } from "./resource.ts";

const TEXT_LENGTH_MAX = 200;
/** A shorter part of a name, an address or a type says too little. */
const PART_LENGTH_MIN = 3;

export const FindQuery = Type.Object({
  q: Type.Refine(
    Type.String({
      maxLength: TEXT_LENGTH_MAX,
      description:
        "an id; a container, bill, booking, air waybill, vessel, voyage, trade lane or plan, or its first four signs; a part of a name or of an endpoint's URL; an event type",
    }),
    (sent) => sent.trim().length >= PART_LENGTH_MIN && !sent.includes("\0"),
    () => `must have ${PART_LENGTH_MIN} characters or more, and no NUL`,
  ),
});

export type Kind = "account" | "key" | "shipment" | "endpoint" | "delivery" | "event" | "event_type";

/** `title`: what it is called; `about`: how it is, in a line. */
export type Finding = {
  readonly kind: Kind;
  readonly id: string;
  readonly title: string;
  readonly about: string | null;
  readonly product: string | null;
  readonly endpointId: string | null;
  readonly at: Date | null;
};

export const FINDING = {
  kind: [
    Type.Enum(
      ["account", "key", "shipment", "endpoint", "delivery", "event", "event_type"] satisfies Kind[],
      {
        description: "shipment: a container, bill, booking or waybill that is tracked, or a load plan",
      },
    ),
    ({ kind }) => kind,
  ],
  id: [Type.String({ description: "of an event type, its name" }), ({ id }) => id],
  title: [Type.String(), ({ title }) => title],
  about: [nullable(Type.String(), { description: "how it is, for people" }), ({ about }) => about],
  product: [nullable(Type.String()), ({ product }) => product],
  endpoint_id: [nullable(Type.String(), { description: "of a delivery" }), ({ endpointId }) => endpointId],
  at: [
    nullable(UtcDateTime, { description: "when it was made" }),
    ({ at }): string | null => at?.toISOString() ?? null,
  ],
} satisfies Fields<Finding>;

export const foundFields = {
  understood: Type.String({ description: "what the text was taken for" }),
  not_understood: nullable(Type.String(), { description: "what it was not taken for, and why" }),
  has_more: Type.Boolean({
    description: `there is more of some kind, of which the newest ${FOUND_MAX} are given`,
  }),
};

export function readWanted(q: string): Wanted {
  const text = q.trim();
  const id = readUuid(text);
  return id === null ? { id, text, reference: wantedReference(text) } : { id };
}

/** `parts`: what a part of the text may be of. */
export function explain(wanted: Wanted, parts: string, hasTooMany: boolean) {
  if (wanted.id !== null)
    return { understood: "an id", not_understood: "a reference or a part of a text, since it is an id" };
  const { reference } = wanted;
  const asReference =
    reference === null || hasTooMany
      ? []
      : [
          reference.isWhole
            ? `the reference ${reference.text}`
            : `references that begin with ${reference.text}`,
        ];
  const problems = [
    "an id, which is a UUID",
    ...(reference === null ? ["a reference, which has letters or digits"] : []),
    ...(hasTooMany ? [`a reference: ${MANY_REFERENCES}`] : []),
  ];
  return {
    understood: [...asReference, `a part of ${parts}`, "an event type"].join(", "),
    not_understood: problems.join("; "),
  };
}

/** Those of each kind that are given, and whether there are more. */
export function cutFindings<Found extends Finding>(groups: readonly (readonly Found[])[]) {
  return {
    findings: groups.flatMap((group) => group.slice(0, FOUND_MAX)),
    hasMore: groups.some((group) => group.length > FOUND_MAX),
  };
}

export function createFinder(products: readonly Product[]) {
  const summaryOf = createSummaries(products);
  return {
    types: (wanted: Wanted): readonly Finding[] => (wanted.id === null ? typesIn(products, wanted.text) : []),
    shipments: ({ tracked }: FoundInCell) => tracked.map(ofShipment),
    endpoints: ({ endpoints }: FoundInCell) => endpoints.map(ofEndpoint),
    deliveries: ({ deliveries }: FoundInCell) => deliveries.map(ofDelivery),
    events: ({ events }: FoundInCell) => events.map((event) => ofEvent(event, summaryOf)),
  };
}

const NOTHING_ELSE = { about: null, product: null, endpointId: null, at: null } as const;

function typesIn(products: readonly Product[], text: string): readonly Finding[] {
  const name = text.toLowerCase().replaceAll(/[\s-]+/g, "_");
  return products.flatMap(({ tag: product, catalogue }) =>
    catalogue
      .filter((type) => type.name.includes(name))
      .map(({ name: id, description: about }) => ({
        ...{ ...NOTHING_ELSE, kind: "event_type" as const },
        ...{ id, title: id, about, product },
      })),
  );
}

function ofShipment({ id, accountId, product, title, about, createdAt: at }: FoundInCell["tracked"][number]) {
  return { ...NOTHING_ELSE, kind: "shipment" as const, id, accountId, title, about, product, at };
}

function ofEndpoint({ id, accountId, product, url: title, createdAt: at, ...health }: FoundEndpoint) {
  const { active, failureCount, disabledAt } = health;
  const failing = failureCount > 0 ? `, ${failureCount} failures in a row` : "";
  const about = active ? `active${failing}` : `off since ${inWords(disabledAt)}`;
  return { ...NOTHING_ELSE, kind: "endpoint" as const, id, accountId, title, about, product, at };
}

/** In UTC, for people. */
export function inWords(at: Date | null): string {
  return around("", moment(at?.toISOString()), " UTC") ?? "long ago";
}

function ofDelivery(one: DeliveryOfEvent) {
  const { id, accountId, product, endpointId, eventType: title, status, url, lastError, createdAt: at } = one;
  const about = `${status} to ${url ?? "an endpoint that is gone"}${lastError === null ? "" : `: ${lastError}`}`;
  return { kind: "delivery" as const, id, accountId, title, about, product, endpointId, at };
}

function ofEvent({ id, accountId, product, type, data, occurredAt: at }: FoundEvent, summaryOf: SummaryOf) {
  const about = data === null ? null : summaryOf(product, type, JSON.parse(data) as JsonObject);
  return { ...NOTHING_ELSE, kind: "event" as const, id, accountId, title: type, about, product, at };
}
