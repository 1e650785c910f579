import Type from "typebox";

import type { MasterKeys } from "../engine/secret.ts";
import { createPortalTokens } from "../http/portal/tokens.ts";
import type { Listener } from "../http/listener.ts";
import { NextCursor, pageOf, PageQuery } from "../http/page.ts";
import type { Refusal } from "../http/refusal.ts";
import { resource, type Fields } from "../http/resource.ts";
import type { CommandView } from "../model/command-view.ts";
import { nullable, UtcDateTime } from "../model/data-types.ts";
import type { MintedLink } from "../model/portal-link.ts";
import type { Product } from "../model/product.ts";
import { readUuid } from "../model/uuid.ts";
import { MINUTE_MS, SECOND_MS } from "../runtime/durations.ts";
import { insertPortalLink, listPortalLinks, revokePortalLink } from "../store/accounts/portal-links.ts";
import type { NodeContext } from "../store/node-context.ts";
import { AccountPath, NO_ACCOUNT, readAccount } from "./accounts.ts";
import { refuse } from "./errors.ts";
import type { OperatorPorts, OperatorRoute } from "./ports.ts";

export type Linking = Pick<NodeContext, "clock" | "random" | "database" | "cells"> & {
  readonly products: readonly Product[];
  readonly masterKeys: () => MasterKeys | Promise<MasterKeys>;
  /** The portal's address as clients know it. */
  readonly portalUrl: (tag: Product["tag"]) => string;
};

export const LINK_MS_DEFAULT = 5 * MINUTE_MS;
const LINK_MS_MIN = 10 * SECOND_MS;
const LINK_MS_MAX = 60 * MINUTE_MS;

const Id = Type.String({ format: "uuid" });

const LINK = {
  id: [Id, ({ id }) => id],
  account_id: [Id, ({ accountId }) => accountId],
  product: [Type.String(), ({ product }) => product],
  created_at: [UtcDateTime, ({ createdAt }) => createdAt.toISOString()],
  expires_at: [UtcDateTime, ({ endsAt }) => endsAt.toISOString()],
  used_at: [
    nullable(UtcDateTime, { description: "when it was followed last; null: never" }),
    ({ usedAt }): string | null => usedAt?.toISOString() ?? null,
  ],
  sessions_until: [
    nullable(UtcDateTime, {
      description: "when the last of its sessions ends at the latest; null: none was opened",
    }),
    ({ sessionsUntil: until, revokedAt: revoked }): string | null =>
      (until !== null && revoked !== null && revoked < until ? revoked : until)?.toISOString() ?? null,
  ],
  revoked_at: [nullable(UtcDateTime), ({ revokedAt }): string | null => revokedAt?.toISOString() ?? null],
} satisfies Fields<MintedLink>;

/** A link as the operator sees it. Only the answer that mints it holds the link itself. */
const keptLink = resource("PortalLink", LINK);

const mintedLink = resource("MintedPortalLink", {
  ...LINK,
  url: [Type.String({ description: "the link; appears here and never again" }), ({ url }) => url],
} satisfies Fields<MintedLink & { readonly url: string }>);

const linkAnswer = keptLink.view;

const columns = {
  ID: "id",
  PRODUCT: "product",
  MINTED: "created_at",
  EXPIRES: "expires_at",
  USED: "used_at",
  "SESSIONS UNTIL": "sessions_until",
  REVOKED: "revoked_at",
};

/** `GET /v1/accounts/{id}/portal-links`, newest first */
export function listPortalLinksRoute(app: Listener, { database, cells }: OperatorPorts): void {
  const schema = {
    summary: "List an account's links to the portal",
    params: AccountPath,
    querystring: PageQuery,
    response: {
      200: Type.Object({ portal_links: Type.Array(keptLink.schema), next_cursor: NextCursor }),
    },
    "x-cli": {
      command: "portal-links list",
      about: "Newest first, until a day after they expire.",
      rows: "portal_links",
      limit: 50,
      columns,
    },
  };
  app.get("/v1/accounts/:id/portal-links", { schema }, async (request, reply) => {
    const account = await readAccount({ database, cells }, request.params.id);
    if (account === null) return refuse(reply, NO_ACCOUNT);
    const { items, ...next } = await pageOf(request.query, (page) =>
      listPortalLinks(database, cells[0], account.id, page),
    );
    return { portal_links: items.map(linkAnswer), ...next };
  });
}

/**
 * `DELETE /v1/accounts/{id}/portal-links/{link_id}`. The link opens nothing from now on; its sessions end at once on this
 * node, and within a second on each other one.
 */
export function revokePortalLinkRoute(app: Listener, ports: OperatorPorts): void {
  const { database, cells, clock, catchUp } = ports;
  const params = Type.Object({ id: Type.String(), link_id: Type.String() });
  const view = {
    command: "portal-links revoke",
    about: "It opens nothing from now on, and its sessions end within a second.",
    columns,
  };
  const schema = {
    summary: "Revoke a link to the portal",
    params,
    response: { 200: keptLink.schema },
    "x-cli": view,
  };

  app.delete("/v1/accounts/:id/portal-links/:link_id", { schema }, async (request, reply) => {
    const [accountId, linkId] = [readUuid(request.params.id), readUuid(request.params.link_id)];
    const named = accountId === null || linkId === null ? null : { accountId, linkId };
    const link = named && (await revokePortalLink(database, cells[0], named, new Date(clock.nowMs())));
    if (link === null) return refuse(reply, NO_LINK);
    await catchUp?.();
    return linkAnswer(link);
  });
}

const NO_LINK: Refusal = { code: "NOT_FOUND", message: "the account has no portal link of that id" };

const MINT: CommandView = {
  command: "portal-link",
  about:
    "It signs the account's client in to the portal of a product. BOATHOOK_PUBLIC_URL says where that is.",
  example: "01a1fc98-3684-702d-8add-9c7eb13bfa2f --product tracking",
  text: "{url}",
  note: "Good until {expires_at}. Revoke it: boathook portal-links revoke {account_id} {id}",
};

/** `POST /v1/accounts/{id}/portal-links`. The link opens the portal as often as it is followed until it ends. */
export function portalLinksRoute(linking: Linking): OperatorRoute {
  const body = Type.Object({
    product: Type.Enum(linking.products.map(({ tag }) => tag)),
    expires_in_seconds: Type.Optional(
      Type.Integer({
        minimum: LINK_MS_MIN / SECOND_MS,
        maximum: LINK_MS_MAX / SECOND_MS,
        description: `from ${LINK_MS_MIN / SECOND_MS} to ${LINK_MS_MAX / SECOND_MS}; without it, ${LINK_MS_DEFAULT / SECOND_MS}`,
      }),
    ),
    theme: Type.Optional(Type.Enum(["light", "dark"])),
  });
  const response = {
    201: mintedLink.schema,
  };
  return (app) => {
    app.post(
      "/v1/accounts/:id/portal-links",
      {
        schema: { summary: "Mint a link to the portal", params: AccountPath, body, response, "x-cli": MINT },
      },
      async (request, reply) => {
        const accountId = readUuid(request.params.id);
        if (accountId === null) return refuse(reply, NO_ACCOUNT);
        const { product, theme, expires_in_seconds: seconds = LINK_MS_DEFAULT / SECOND_MS } = request.body;
        // No session is opened with these.
        const tokens = createPortalTokens(await linking.masterKeys(), 0, linking);
        const link = tokens.writeLink({ product, accountId }, seconds * SECOND_MS);
        const kept = await insertPortalLink(linking.database, linking.cells[0], {
          id: link.linkId,
          accountId,
          product,
          createdAt: new Date(link.endsAtMs - seconds * SECOND_MS),
          endsAt: new Date(link.endsAtMs),
        });
        if (kept === null) return refuse(reply, NO_ACCOUNT);
        const look = theme === undefined ? "" : `&theme=${theme}`;
        // In the fragment: browsers send it to nobody, so that no log and no Referer has it.
        const url = `${linking.portalUrl(product)}#link=${link.text}${look}`;
        return reply.code(201).send(mintedLink.view({ ...kept, url }));
      },
    );
  };
}
