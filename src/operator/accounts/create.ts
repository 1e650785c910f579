import Type from "typebox";

import type { Listener } from "../../http/listener.ts";
import { chooseCell, insertAccount } from "../../store/accounts/accounts.ts";
import { refuse } from "../errors.ts";
import type { OperatorPorts } from "../ports.ts";
import { accountAnswer, AccountName, Entitlements, entitlementsError } from "./shape.ts";

const body = Type.Object({ name: AccountName, entitlements: Type.Optional(Entitlements) });

/** `POST /v1/accounts` */
export function createAccountRoute(app: Listener, ports: OperatorPorts): void {
  const { database, cells, products, clock, random } = ports;

  app.post("/v1/accounts", { schema: { body } }, async (request, reply) => {
    const { name, entitlements = [] } = request.body;
    const flaw = entitlementsError(products, entitlements);
    if (flaw !== null) return refuse(reply, { code: "INVALID_REQUEST", message: flaw });
    const nowMs = clock.nowMs();
    const id = random.uuid(nowMs);
    const home = chooseCell(id, cells);
    const account = {
      id,
      name,
      entitlements: [...new Set(entitlements)],
      demurrageAlerting: false,
      cell: home.number,
      createdAt: new Date(nowMs),
    };
    await insertAccount(database, home, account);
    return reply.code(201).send(accountAnswer(account));
  });
}
