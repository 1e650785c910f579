import type { ApiKey } from "../../model/account.ts";

/** A key as the operator sees it; the key itself is in no answer but that to its making. */
export function keyAnswer(key: ApiKey) {
  return {
    id: key.id,
    account_id: key.accountId,
    prefix: key.prefix,
    label: key.label,
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
