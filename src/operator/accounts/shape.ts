import Type, { type Static } from "typebox";

import type { Refusal } from "../../http/refusal.ts";
import { boundedText } from "../../http/validation.ts";
import type { Account } from "../../model/account.ts";
import type { Product } from "../../model/product.ts";
import { readUuid } from "../../model/uuid.ts";

const NAME_LENGTH_MAX = 200;

export const AccountName = boundedText(NAME_LENGTH_MAX, {
  minLength: 1,
  description: "what you call the account",
});

export const Entitlements = Type.Array(Type.String(), { description: "what the account may write to" });

export const AccountPath = Type.Object({ id: Type.String() });

/** The account's id in a path, or null when it cannot be one. */
export function accountIdIn(params: Static<typeof AccountPath>): string | null {
  return readUuid(params.id);
}

export const NO_ACCOUNT: Refusal = { code: "NOT_FOUND", message: "there is no account of that id" };

export function accountAnswer(account: Account) {
  return {
    id: account.id,
    name: account.name,
    entitlements: account.entitlements,
    demurrage_alerting: account.demurrageAlerting,
    created_at: account.createdAt.toISOString(),
  };
}

/** What is wrong with the names, or null. */
export function entitlementsError(products: readonly Product[], names: readonly string[]): string | null {
  const known = products.flatMap(({ entitlement }) => entitlement ?? []);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return null;
  return `there is no entitlement ${unknown.join(", ")}; there are ${known.join(", ")}`;
}
