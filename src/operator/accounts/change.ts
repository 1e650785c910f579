import Type from "typebox";

import type { Listener } from "../../http/listener.ts";
import { updateAccount } from "../../store/accounts/accounts.ts";
import { refuse } from "../errors.ts";
import type { OperatorPorts } from "../ports.ts";
import {
  accountAnswer,
  accountIdIn,
  AccountName,
  AccountPath,
  Entitlements,
  entitlementsError,
  NO_ACCOUNT,
} from "./shape.ts";

const body = Type.Object({
  name: Type.Optional(AccountName),
  entitlements: Type.Optional(Entitlements),
  demurrage_alerting: Type.Optional(Type.Boolean()),
});

/** `PATCH /v1/accounts/{id}` */
export function changeAccountRoute(app: Listener, { database, cells, products, clock }: OperatorPorts): void {
  app.patch("/v1/accounts/:id", { schema: { params: AccountPath, body } }, async (request, reply) => {
    const { name, entitlements, demurrage_alerting: demurrageAlerting } = request.body;
    const flaw = entitlementsError(products, entitlements ?? []);
    if (flaw !== null) return refuse(reply, { code: "INVALID_REQUEST", message: flaw });
    const id = accountIdIn(request.params);
    const change = { name, entitlements: entitlements && [...new Set(entitlements)], demurrageAlerting };
    const account = id === null ? null : await updateAccount(database, cells, id, change, clock.nowMs());
    return account === null ? refuse(reply, NO_ACCOUNT) : accountAnswer(account);
  });
}
