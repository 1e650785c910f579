import type { Endpoint } from "../../model/endpoint.ts";
import type { PageRequest } from "../../model/page-request.ts";
import { accountClosed } from "../../model/errors.ts";
import { requireOpen } from "../accounts/accounts.ts";
import type { Cell } from "../cell.ts";
import type { Connection, Database } from "../database.ts";
import {
  endpointCount,
  endpointDelete,
  endpointInsert,
  endpointList,
  endpointPage,
  endpointRead,
  endpointUpdate,
} from "./endpoints.sql.ts";
import { topics } from "./invalidations.ts";
import { routeAdvance } from "./routes.sql.ts";

/** Whose endpoint, on which product; an id alone finds nothing. */
export type EndpointOwner = { readonly accountId: string; readonly product: string };

/** What a new endpoint is made of; it starts active, without failures. */
export type NewEndpoint = EndpointOwner &
  Pick<Endpoint, "id" | "url" | "eventTypes" | "description" | "createdAt"> & {
    readonly sealedSecretHash: Buffer;
  };

/** The fields of an endpoint to change. */
export type EndpointChange = {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly description?: string | undefined;
  /** True also sets the failures to 0 (spec 3.2). */
  readonly active?: boolean | undefined;
};

/** Null when the account has `endpointsMax` on the product already. */
export function insertEndpoint(database: Database, cell: Cell, endpoint: NewEndpoint, endpointsMax: number) {
  return database.transaction(async (tx) => {
    const advanced = await routeAdvance(tx, cell, endpoint.accountId);
    if (advanced.length === 0) throw accountClosed();
    const { id, accountId, product, url, description, sealedSecretHash, createdAt } = endpoint;
    const types = endpoint.eventTypes;
    return await endpointInsert(tx, cell, {
      id,
      accountId,
      product,
      url,
      types,
      description,
      sealedSecretHash,
      createdAt,
      endpointsMax,
      topic: topics(cell).changes,
    });
  });
}

export async function readEndpoint(db: Connection, cell: Cell, owner: EndpointOwner, id: string) {
  return await endpointRead(db, cell, { id, accountId: owner.accountId, product: owner.product });
}

export const ENDPOINT_STATES = ["active", "failing", "off"] as const;

export type EndpointFilter = {
  readonly accountId: string | null;
  readonly product: string | null;
  readonly state: (typeof ENDPOINT_STATES)[number] | null;
};

/** Of all accounts in the cell, for the operator. */
export function pageEndpoints(
  db: Connection,
  cell: Cell,
  { accountId, product, state }: EndpointFilter,
  { afterId, limit }: PageRequest,
): Promise<Endpoint[]> {
  return endpointPage(db, cell, { afterId, accountId, product, state, limit });
}

export function listEndpoints(
  db: Connection,
  cell: Cell,
  { accountId, product }: EndpointOwner,
  { afterId, limit }: PageRequest,
): Promise<Endpoint[]> {
  return endpointList(db, cell, { accountId, product, afterId, limit });
}

/** The changed endpoint, or null when there is none. */
export async function updateEndpoint(
  db: Connection,
  cell: Cell,
  { accountId, product }: EndpointOwner,
  id: string,
  change: EndpointChange,
  at: Date,
): Promise<Endpoint | null> {
  const { url = null, eventTypes, description = null, active = null } = change;
  const types = eventTypes ?? null;
  const updated = await endpointUpdate(db, cell, {
    id,
    accountId,
    product,
    url,
    types,
    description,
    active,
    at,
    topic: topics(cell).changes,
  });
  if (updated === null) await requireOpen(db, cell, accountId);
  return updated;
}

/** False when there is none. */
export async function deleteEndpoint(db: Connection, cell: Cell, owner: EndpointOwner, id: string, at: Date) {
  const deleted = await endpointDelete(db, cell, {
    id,
    accountId: owner.accountId,
    product: owner.product,
    at,
    topic: topics(cell).changes,
  });
  if (deleted.length === 0) await requireOpen(db, cell, owner.accountId);
  return deleted.length > 0;
}

/** Counts the endpoints by product and state, `rowsMax` rows at most. */
export function countEndpoints(db: Connection, cell: Cell, rowsMax: number) {
  return endpointCount(db, cell, rowsMax);
}
