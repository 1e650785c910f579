import type { Listener } from "../../http/listener.ts";
import { readAccount } from "../../store/accounts/accounts.ts";
import { listKeys } from "../../store/accounts/keys.ts";
import { accountIdIn, AccountPath, NO_ACCOUNT } from "../accounts/shape.ts";
import { refuse } from "../errors.ts";
import type { OperatorPorts } from "../ports.ts";
import { keyAnswer } from "./shape.ts";

/** `GET /v1/accounts/{id}/keys`, newest first */
export function listKeysRoute(app: Listener, { database, cells }: OperatorPorts): void {
  app.get("/v1/accounts/:id/keys", { schema: { params: AccountPath } }, async (request, reply) => {
    const accountId = accountIdIn(request.params);
    const account = accountId === null ? null : await readAccount(database, cells[0], accountId);
    if (account === null) return refuse(reply, NO_ACCOUNT);
    const keys = await listKeys(database, cells[0], account.id);
    return { keys: keys.map(keyAnswer) };
  });
}
