/** The names of the accounts that an answer is about. */
import Type from "typebox";

import { nullable } from "../model/data-types.ts";
import { readAccountNames } from "../store/accounts/accounts.ts";
import type { OperatorPorts } from "./ports.ts";

export type Named = { readonly accountName: string | null };

export const AccountName = nullable(Type.String(), { description: "null: the account is being removed" });

/** Each with the name of its account. */
export async function withAccountNames<Found extends { readonly accountId: string }>(
  { database, cells }: Pick<OperatorPorts, "database" | "cells">,
  found: readonly Found[],
): Promise<readonly (Found & Named)[]> {
  const ids = [...new Set(found.map(({ accountId }) => accountId))];
  const names =
    ids.length === 0 ? new Map<string, string>() : await readAccountNames(database, cells[0], ids);
  return found.map((one) => ({ ...one, accountName: names.get(one.accountId) ?? null }));
}
