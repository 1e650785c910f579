import Type from "typebox";

import type { Listener } from "../../../http/listener.ts";
import { NextCursor, pageOf, PageQuery } from "../../../http/page.ts";
import type { CommandView } from "../../../model/command-view.ts";
import { homeOf, NO_ACCOUNT, OfAccount } from "../../../operator/accounts.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorRoute } from "../../../operator/ports.ts";
import { ListedPlanSchema } from "../plan/plan-schema.ts";
import { listPlans } from "../plan/plans.ts";

const LIST: CommandView = {
  ...{ command: "plans list", rows: "plans", limit: 50 },
  example: "--account 01a1fc98-3684-702d-8add-9c7eb13bfa2f",
  columns: {
    ID: "id",
    NAME: "name",
    CONTAINERS: "{summary.containers[{count} x {type}]}",
    PIECES: "summary.pieces",
    LEFT: "summary.pieces_left",
    REVISION: "revision",
    UPDATED: "updated_at",
  },
};

/** `GET /v1/plans`: an account's, newest first */
export const listPlansRoute: OperatorRoute = (app: Listener, ports) => {
  const querystring = Type.Object({ ...PageQuery.properties, account_id: OfAccount });
  const response = { 200: Type.Object({ plans: Type.Array(ListedPlanSchema), next_cursor: NextCursor }) };
  app.get(
    "/v1/plans",
    { schema: { summary: "List the load plans of an account", querystring, response, "x-cli": LIST } },
    async (request, reply) => {
      const home = await homeOf(ports, request.query.account_id);
      if (home === null) return refuse(reply, NO_ACCOUNT);
      const { items, ...next } = await pageOf(request.query, (page) =>
        listPlans(ports.database, home.cell, home.accountId, page),
      );
      return { plans: [...items], ...next };
    },
  );
};
