/** The names of the accounts that an answer is about. */
import Type from "typebox";

import { StoreUnavailable } from "../model/errors.ts";
import { nullable } from "../model/data-types.ts";
import { readAccountNames } from "../store/accounts/accounts.ts";
import type { OperatorPorts } from "./ports.ts";

export type Named = { readonly accountName: string | null };

export const AccountName = nullable(Type.String(), {
  description: "null: the account is being removed, or the directory cannot be reached",
});

/** Each with the name of its account: an answer about cells does without the directory. */
export async function withAccountNames<Found extends { readonly accountId: string }>(
  { database, cells }: Pick<OperatorPorts, "database" | "cells">,
  found: readonly Found[],
): Promise<readonly (Found & Named)[]> {
  const ids = [...new Set(found.map(({ accountId }) => accountId))];
  const names = ids.length === 0 ? NONE : await readAccountNames(database, cells[0], ids).catch(withoutNames);
  return found.map((one) => ({ ...one, accountName: names.get(one.accountId) ?? null }));
}

const NONE: ReadonlyMap<string, string> = new Map();

function withoutNames(cause: unknown): typeof NONE {
  if (cause instanceof StoreUnavailable) return NONE;
  throw cause;
}
