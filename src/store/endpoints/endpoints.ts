import type { Endpoint } from "../../model/endpoint.ts";
import { textArray, timestampArray, uuidArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection, Database } from "../database.ts";
import * as sql from "./statements.ts";

/** Whose endpoint, on which product; an id alone finds nothing. */
export type EndpointOwner = { readonly accountId: string; readonly product: string };

/** What a new endpoint is made of; it starts active, without failures. */
export type NewEndpoint = EndpointOwner &
  Pick<Endpoint, "id" | "url" | "eventTypes" | "description" | "createdAt"> & {
    readonly sealedSecretHash: Buffer;
  };

/** What may be changed of an endpoint; what is absent stays as it is. */
export type EndpointChange = {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly description?: string | undefined;
  /** True also sets the failures to 0 (spec 3.2). */
  readonly active?: boolean | undefined;
};

/** Null when the account has `endpointsMax` on the product already. */
export function insertEndpoint(
  database: Database,
  cell: Cell,
  endpoint: NewEndpoint,
  endpointsMax: number,
): Promise<Endpoint | null> {
  return database.transaction(async (tx) => {
    await tx.rows(sql.routeAdvance(cell), [endpoint.accountId]);
    const rows = await tx.rows(sql.endpointInsert(cell), [
      endpoint.id,
      endpoint.accountId,
      endpoint.product,
      endpoint.url,
      textArray(endpoint.eventTypes),
      endpoint.description,
      endpoint.sealedSecretHash,
      endpoint.createdAt,
      endpointsMax,
    ]);
    return rows[0] ?? null;
  });
}

export async function readEndpoint(
  connection: Connection,
  cell: Cell,
  owner: EndpointOwner,
  id: string,
): Promise<Endpoint | null> {
  const rows = await connection.rows(sql.endpointRead(cell), [id, owner.accountId, owner.product]);
  return rows[0] ?? null;
}

/** An endpoint by its id alone, for the operator. */
export async function findEndpoint(connection: Connection, cell: Cell, id: string): Promise<Endpoint | null> {
  const rows = await connection.rows(sql.endpointFind(cell), [id]);
  return rows[0] ?? null;
}

/** Endpoints, newest first, from behind `afterId` on. */
export function listEndpoints(
  connection: Connection,
  cell: Cell,
  owner: EndpointOwner,
  page: { readonly afterId: string | null; readonly limit: number },
): Promise<Endpoint[]> {
  return connection.rows(sql.endpointList(cell), [owner.accountId, owner.product, page.afterId, page.limit]);
}

/** The account's endpoints on all products, newest first: at most the products' limits together. */
export function listAccountEndpoints(
  connection: Connection,
  cell: Cell,
  accountId: string,
): Promise<Endpoint[]> {
  return connection.rows(sql.endpointListOfAccount(cell), [accountId]);
}

/** The endpoint as it is then, or null when there is none. */
export async function updateEndpoint(
  connection: Connection,
  cell: Cell,
  owner: EndpointOwner,
  id: string,
  change: EndpointChange,
  at: Date,
): Promise<Endpoint | null> {
  const rows = await connection.rows(sql.endpointUpdate(cell), [
    id,
    owner.accountId,
    owner.product,
    change.url ?? null,
    change.eventTypes === undefined ? null : textArray(change.eventTypes),
    change.description ?? null,
    change.active ?? null,
    at,
  ]);
  return rows[0] ?? null;
}

/** False when there is none. */
export async function deleteEndpoint(
  connection: Connection,
  cell: Cell,
  owner: EndpointOwner,
  id: string,
  at: Date,
): Promise<boolean> {
  const rows = await connection.rows(sql.endpointDelete(cell), [id, owner.accountId, owner.product, at]);
  return rows.length > 0;
}

/** Writes the times of successes that were not written one by one, in the order of the endpoints' ids. */
export async function touchEndpoints(
  connection: Connection,
  cell: Cell,
  endpointIds: readonly string[],
  deliveredAtMs: readonly number[],
): Promise<void> {
  await connection.rows(sql.endpointTouch(cell), [uuidArray(endpointIds), timestampArray(deliveredAtMs)]);
}
