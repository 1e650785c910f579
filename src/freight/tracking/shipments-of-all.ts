/** Tracked shipments on the operator's listener: one by its id or reference, whosever it is, and its end. */
import Type from "typebox";

import type { Refusal } from "../../http/refusal.ts";
import { nullable } from "../../model/data-types.ts";
import { words } from "../../model/in-words.ts";
import { wordsOf } from "../../model/source-words.ts";
import { readUuid } from "../../model/uuid.ts";
import { askCells } from "../../operator/find-in-cells.ts";
import { refuse } from "../../operator/errors.ts";
import type { OperatorContext, OperatorRoute } from "../../operator/ports.ts";
import type { Cell } from "../../store/cell.ts";
import type { FindTracked } from "../../store/search/find.ts";
import { shipmentFind } from "./store/shipments.sql.ts";
import { deleteShipment } from "./store/shipments.ts";

/** What can be tracked: how it is called, and how its reference is read. */
export type Trackable = {
  /** "container"; its resource is the plural. */
  readonly noun: string;
  readonly product: string;
  readonly example: string;
  readonly read: (
    typed: string,
  ) => { readonly text: string } | { readonly kind: "invalid"; readonly message: string };
};

export type FoundShipment = { readonly id: string; readonly accountId: string; readonly cell: Cell };

/** Accounts that track one reference and are named. */
const OWNERS_MAX = 1_000;

export const ReferencePath = Type.Object({
  reference: Type.String({ description: "as it is tracked, or its id" }),
});

export const OwnerQuery = Type.Object({
  account_id: Type.Optional(Type.String({ description: "whose, where several accounts track it" })),
});

/** Why the last poll had no answer; null: it had one. */
export const POLL_FAILURE = {
  failure: nullable(Type.String({ description: "of the last poll, as metrics count it" })),
  failure_text: nullable(Type.String({ description: "that in words" })),
};

export function pollFailure({ failure }: { readonly failure: string | null }) {
  return { failure, failure_text: failure === null ? null : wordsOf(failure) };
}

type Ports = Pick<OperatorContext, "database" | "cells" | "clock">;

/** The one of that id or reference; an account narrows a reference to its own. */
export async function findShipment(
  ports: Ports,
  trackable: Trackable,
  { reference: typed }: { readonly reference: string },
  { account_id: typedAccount }: { readonly account_id?: string },
): Promise<FoundShipment | Refusal> {
  // No account has an id that is no UUID.
  const wanted = typedAccount === undefined ? undefined : (readUuid(typedAccount) ?? typedAccount);
  const all = await findShipments(ports, trackable, typed, wanted);
  if ("code" in all) return all;
  const [shipment, ...others] = all.filter((one) => wanted === undefined || one.accountId === wanted);
  if (shipment === undefined) return notTracked(trackable, typed);
  if (others.length === 0) return shipment;
  const ids = [shipment, ...others].map((one) => one.accountId).join(", ");
  const message = `query.account_id must name one: several accounts track ${typed} (${ids})`;
  return { code: "INVALID_REQUEST", message };
}

export function notTracked({ noun }: Trackable, typed: string): Refusal {
  return { code: "NOT_FOUND", message: `there is no ${noun} ${typed}` };
}

/** Neither an id nor a reference says whose it is, nor in which cell. */
async function findShipments(
  ports: Ports,
  { noun, product, read }: Trackable,
  typed: string,
  wanted: string | undefined,
): Promise<readonly FoundShipment[] | Refusal> {
  const id = readUuid(typed);
  const reference = id === null ? read(typed) : { text: null };
  if ("message" in reference) {
    const message = `"${typed}" is not the id of a ${noun}, nor what one is tracked by: ${reference.message}`;
    return { code: "INVALID_REQUEST", message };
  }
  const asked = { id, reference: reference.text, product, accountId: null, limit: OWNERS_MAX };
  const { answers, failures } = await askCells(ports, async (cell) =>
    (await shipmentFind(ports.database, cell, asked)).map((one) => ({ ...one, cell })),
  );
  const found = answers.flat();
  // Accounts of a cell that does not answer may track it, too: who ends it is to know of all.
  const isWhole = id !== null || wanted !== undefined;
  if (failures.length > 0 && (found.length === 0 || !isWhole)) throw failures[0]!;
  return found;
}

/** What is tracked, for the search of everything. */
export function trackedBy({ product, read }: Trackable): FindTracked {
  return async (db, cell, wanted, accountId, limit) => {
    const reference = wanted.id === null ? read(wanted.text) : { text: null };
    if ("message" in reference) return [];
    const asked = { id: wanted.id, reference: reference.text, product, accountId, limit };
    const found = await shipmentFind(db, cell, asked);
    return found.map(({ reference: title, status, ...one }) => ({ ...one, title, about: words(status) }));
  };
}

/** `DELETE /v1/containers/{reference}` and the like: its record goes; events that were raised are still delivered. */
export function stopRoute(trackable: Trackable): OperatorRoute {
  const { noun, product, example } = trackable;
  const view = {
    ...{ command: `${noun}s stop`, example, text: "Tracking of {id} has stopped." },
    about: "Its record is deleted; events that were raised are still delivered.",
  };
  const schema = {
    summary: `Stop tracking a ${noun}`,
    params: ReferencePath,
    querystring: OwnerQuery,
    "x-cli": view,
  };
  return (app, ports) => {
    app.delete(`/v1/${noun}s/:reference`, { schema }, async (request, reply) => {
      const found = await findShipment(ports, trackable, request.params, request.query);
      if ("code" in found) return refuse(reply, found);
      const { id, accountId, cell } = found;
      const isGone = await deleteShipment(ports.database, cell, { product, accountId }, id);
      return isGone ? { id, deleted: true } : refuse(reply, notTracked(trackable, id));
    });
  };
}
