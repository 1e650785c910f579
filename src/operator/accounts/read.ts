import type { Listener } from "../../http/listener.ts";
import { readAccount } from "../../store/accounts/accounts.ts";
import { refuse } from "../errors.ts";
import type { OperatorPorts } from "../ports.ts";
import { accountAnswer, accountIdIn, AccountPath, NO_ACCOUNT } from "./shape.ts";

/** `GET /v1/accounts/{id}` */
export function readAccountRoute(app: Listener, { database, cells }: OperatorPorts): void {
  app.get("/v1/accounts/:id", { schema: { params: AccountPath } }, async (request, reply) => {
    const id = accountIdIn(request.params);
    const account = id === null ? null : await readAccount(database, cells[0], id);
    return account === null ? refuse(reply, NO_ACCOUNT) : accountAnswer(account);
  });
}
