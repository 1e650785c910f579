import Type from "typebox";

import type { MasterKeys } from "../engine/secret.ts";
import { createPortalTokens } from "../http/portal/tokens.ts";
import { UtcDateTime } from "../model/data-types.ts";
import type { Product } from "../model/product.ts";
import { readUuid } from "../model/uuid.ts";
import { MINUTE_MS, SECOND_MS } from "../runtime/durations.ts";
import { readAccount } from "../store/accounts/accounts.ts";
import type { NodeContext } from "../store/node-context.ts";
import { AccountPath, NO_ACCOUNT } from "./accounts.ts";
import { refuse } from "./errors.ts";
import type { OperatorRoute } from "./ports.ts";

export type Linking = Pick<NodeContext, "clock" | "random" | "database" | "cells"> & {
  readonly products: readonly Product[];
  readonly masterKeys: () => MasterKeys | Promise<MasterKeys>;
  /** The portal's address as clients know it. */
  readonly portalUrl: (tag: Product["tag"]) => string;
};

export const LINK_MS_DEFAULT = 5 * MINUTE_MS;
const LINK_MS_MIN = 10 * SECOND_MS;
const LINK_MS_MAX = 60 * MINUTE_MS;

/** `POST /v1/accounts/{id}/portal-links`. The link opens the portal as often as it is followed until it ends. */
export function portalLinksRoute(linking: Linking): OperatorRoute {
  const body = Type.Object({
    product: Type.Enum(linking.products.map(({ tag }) => tag)),
    expires_in_seconds: Type.Optional(
      Type.Integer({ minimum: LINK_MS_MIN / SECOND_MS, maximum: LINK_MS_MAX / SECOND_MS }),
    ),
    theme: Type.Optional(Type.Enum(["light", "dark"])),
  });
  const response = {
    201: Type.Object({
      url: Type.String(),
      account_id: Type.String(),
      product: Type.String(),
      expires_at: UtcDateTime,
    }),
  };
  return (app) => {
    app.post(
      "/v1/accounts/:id/portal-links",
      { schema: { params: AccountPath, body, response } },
      async (request, reply) => {
        const id = readUuid(request.params.id);
        const account = id === null ? null : await readAccount(linking.database, linking.cells[0], id);
        if (account === null) return refuse(reply, NO_ACCOUNT);
        const { product, theme, expires_in_seconds: seconds = LINK_MS_DEFAULT / SECOND_MS } = request.body;
        // No session is opened with these.
        const tokens = createPortalTokens(await linking.masterKeys(), 0, linking);
        const link = tokens.writeLink({ product, accountId: account.id }, seconds * SECOND_MS);
        const look = theme === undefined ? "" : `&theme=${theme}`;
        return reply.code(201).send({
          // In the fragment: browsers send it to nobody, so that no log and no Referer has it.
          url: `${linking.portalUrl(product)}#link=${link.text}${look}`,
          account_id: account.id,
          product,
          expires_at: new Date(link.endsAtMs).toISOString(),
        });
      },
    );
  };
}
