/** What a cell has of what somebody looks for by an id, a reference of the trade or a part of an address. */
import type { WantedReference } from "../../model/references.ts";
import { firstUuidOf } from "../../model/uuid.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { deliveryFind } from "../deliveries/deliveries.sql.ts";
import { endpointFind } from "../endpoints/endpoints.sql.ts";
import type { RowOf } from "../sql.ts";
import { findEvent, listDeliveriesOf, type DeliveryOfEvent, type FoundEvent } from "./events.ts";
import { findEndpoints } from "./find.sql.ts";
import { NEAR_MAX, pageEventsByReference } from "./references.ts";

/** An id alone, or a text, which may be a reference. */
export type Wanted =
  | { readonly id: string }
  | { readonly id: null; readonly text: string; readonly reference: WantedReference | null };

/** Null: of any. */
export type Scope = { readonly accountId: string | null; readonly product: string | null };

/** What a product tracks or keeps for an account, with a page of its own; `about`: how it is. */
export type Tracked = {
  readonly id: string;
  readonly accountId: string;
  readonly title: string;
  readonly about: string | null;
  readonly createdAt: Date;
};

/** Of an account, null: of all of the cell, at most `limit`. */
export type FindTracked = (
  db: Connection,
  cell: Cell,
  wanted: Wanted,
  accountId: string | null,
  limit: number,
) => Promise<readonly Tracked[]>;

/** A product as far as it is searched. */
export type SearchedProduct = { readonly tag: string; readonly findTracked?: FindTracked };

export type FoundEndpoint = RowOf<typeof findEndpoints>;

export type FoundInCell = {
  readonly tracked: readonly (Tracked & { readonly product: string })[];
  readonly endpoints: readonly FoundEndpoint[];
  readonly deliveries: readonly DeliveryOfEvent[];
  readonly events: readonly FoundEvent[];
  /** More references begin with it than are looked for. */
  readonly hasTooMany: boolean;
};

/** Of each kind. */
export const FOUND_MAX = 10;
/** Data of the events together, beyond which they have none. */
const DATA_BYTES_MAX = 256 * 1024;

/** `products`: those of the scope. */
export async function findInCell(
  db: Connection,
  cell: Cell,
  wanted: Wanted,
  scope: Scope,
  products: readonly SearchedProduct[],
): Promise<FoundInCell> {
  const limit = FOUND_MAX + 1;
  const [logged, tracked] = await Promise.all([
    wanted.id === null ? findByText(db, cell, wanted, scope, limit) : findById(db, cell, wanted.id, scope),
    Promise.all(
      products.map(async ({ tag: product, findTracked }) => {
        const found = (await findTracked?.(db, cell, wanted, scope.accountId, limit)) ?? [];
        return found.map((one) => ({ ...one, product }));
      }),
    ),
  ]);
  return { ...logged, tracked: tracked.flat() };
}

type Logged = Omit<FoundInCell, "tracked">;

async function findByText(
  db: Connection,
  cell: Cell,
  { text, reference }: Extract<Wanted, { readonly id: null }>,
  scope: Scope,
  limit: number,
): Promise<Logged> {
  const endpoints = await findEndpoints(db, cell, { ...scope, text, limit });
  const nothing = { endpoints, deliveries: [], events: [] };
  if (reference === null) return { ...nothing, hasTooMany: false };
  const page = { fromId: firstUuidOf(0), beforeId: firstUuidOf(Number.POSITIVE_INFINITY), limit };
  const asked = { ...scope, type: null, reference };
  const read = await pageEventsByReference(db, cell, asked, page, DATA_BYTES_MAX);
  if (read === "too_many") return { ...nothing, hasTooMany: true };
  const deliveries = await listDeliveriesOf(db, cell, read.found, NEAR_MAX);
  return { endpoints, deliveries: deliveries.toReversed(), events: read.found, hasTooMany: false };
}

async function findById(db: Connection, cell: Cell, id: string, scope: Scope): Promise<Logged> {
  const [endpoint, delivery, event] = await Promise.all([
    endpointFind(db, cell, id),
    deliveryFind(db, cell, id),
    findEvent(db, cell, id),
  ]);
  const isOf = <Found extends { readonly accountId: string; readonly product: string }>(one: Found | null) =>
    one !== null &&
    (scope.accountId === null || one.accountId === scope.accountId) &&
    (scope.product === null || one.product === scope.product)
      ? [one]
      : [];
  return {
    endpoints: isOf(endpoint),
    deliveries: isOf(delivery),
    events: isOf(event).map((one) => ({ ...one, bytes: Buffer.byteLength(one.data) })),
    hasTooMany: false,
  };
}
