import type { Listener } from "../../http/listener.ts";
import { CURSOR_ERROR, pageOf, PageQuery, readPage } from "../../http/page.ts";
import { listAccounts } from "../../store/accounts/accounts.ts";
import { refuse } from "../errors.ts";
import type { OperatorPorts } from "../ports.ts";
import { accountAnswer } from "./shape.ts";

/** `GET /v1/accounts`, newest first */
export function listAccountsRoute(app: Listener, { database, cells }: OperatorPorts): void {
  app.get("/v1/accounts", { schema: { querystring: PageQuery } }, async (request, reply) => {
    const wanted = readPage(request.query);
    if (wanted === null) return refuse(reply, { code: "INVALID_REQUEST", message: CURSOR_ERROR });
    const { items, nextCursor } = await pageOf(wanted, (page) => listAccounts(database, cells[0], page));
    return { accounts: items.map(accountAnswer), next_cursor: nextCursor };
  });
}
