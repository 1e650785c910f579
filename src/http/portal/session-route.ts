import Type, { type Static } from "typebox";

import { UtcDateTime } from "../../model/data-types.ts";
import { parseKey } from "../../model/api-key.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import { followPortalLink } from "../../store/accounts/portal-links.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { callerWith } from "../authenticate.ts";
import type { FoundCaller } from "../callers.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { limitByAddress } from "../rate-limit.ts";
import { resource, type Fields } from "../resource.ts";
import { STREAMS_PER_ACCOUNT_MAX } from "../streams.ts";
import { boundedText } from "../validation.ts";
import { ENDPOINTS_MAX } from "../webhooks/register.ts";
import type { OpenedSession } from "./tokens.ts";

const TOKEN_LENGTH_MAX = 1_024;

const token = (description: string) => Type.Optional(boundedText(TOKEN_LENGTH_MAX, { description }));

const SessionBody = Type.Object(
  {
    key: token("an API key that the product accepts"),
    link: token("what follows #link= in a link of the portal"),
    session: token("a session that is not over: the answer is a new one in its place"),
  },
  { title: "PortalSignIn" },
);

type Opened = OpenedSession & {
  readonly caller: FoundCaller;
  readonly missing: string | null;
  readonly requestsMax: number;
  readonly lifeMs: number;
};

export const portalSession = resource("PortalSession", {
  token: [Type.String({ description: "send it where a key goes" }), ({ text }) => text],
  expires_at: [UtcDateTime, ({ endsAtMs }) => new Date(endsAtMs).toISOString()],
  expires_in_seconds: [Type.Integer(), ({ lifeMs }) => Math.floor(lifeMs / SECOND_MS)],
  renewable_until: [UtcDateTime, ({ lastEndMs }) => new Date(lastEndMs).toISOString()],
  opened_by: [
    Type.Enum(["key", "link"]),
    ({ openedBy }): "key" | "link" => ("keyHash" in openedBy ? "key" : "link"),
  ],
  account_id: [Type.String({ format: "uuid" }), ({ caller }) => caller.account.id],
  account_name: [Type.String(), ({ caller }) => caller.account.name],
  missing_entitlement: [
    Type.Union([Type.String(), Type.Null()], {
      description: "what the account lacks to register and test endpoints",
    }),
    ({ missing }) => missing,
  ],
  limits: [
    Type.Object({
      requests_per_minute: Type.Integer({ description: "of the key, or of the link" }),
      endpoints: Type.Integer({ description: "of the account on this product" }),
      streams: Type.Integer({ description: "of events, open at once" }),
    }),
    ({ requestsMax }) => ({
      requests_per_minute: requestsMax,
      endpoints: ENDPOINTS_MAX,
      streams: STREAMS_PER_ACCOUNT_MAX,
    }),
  ],
} satisfies Fields<Opened>);

/** `POST /v1/portal/session` (spec 5: public_routes) */
export function portalSessionRoute(app: Listener, context: ProductContext): void {
  const { product, limits, clock } = context;
  const schema = {
    operationId: "openPortalSession",
    tags: ["Portal"],
    summary: "Sign in to the portal",
    description:
      "Send one of key, link and session. The token is good where a key is, on this product alone, and ends when the key or the link is revoked. Limited by address.",
    security: [],
    body: SessionBody,
    response: {
      201: answerSchema(product, portalSession.schema),
      ...refusalSchemas(product, ["UNAUTHORIZED"], "open"),
    },
  };

  app.post("/v1/portal/session", { schema, onRequest: limitByAddress(context) }, async (request, reply) => {
    if (Object.keys(request.body).filter((name) => name in SessionBody.properties).length !== 1) {
      const message = "body must have one of key, link and session";
      return refuse(reply, product, { code: "INVALID_REQUEST", message });
    }
    const opened = await open(request.body, context);
    if (typeof opened === "string") {
      const headers = { "www-authenticate": "Bearer" };
      return refuse(reply, product, { code: "UNAUTHORIZED", message: opened, headers });
    }
    const { session, caller } = opened;
    const { entitlement } = product;
    const isEntitled = entitlement === null || caller.account.entitlements.includes(entitlement);
    const view = {
      ...session,
      caller,
      missing: isEntitled ? null : entitlement,
      requestsMax: limits.byKey.quota,
      lifeMs: session.endsAtMs - clock.nowMs(),
    };
    return answer(reply, product, 201, portalSession.view(view));
  });
}

type Opening = { readonly session: OpenedSession; readonly caller: FoundCaller };

/** A text says why not. */
async function open(body: Static<typeof SessionBody>, context: ProductContext): Promise<Opening | string> {
  const { key, link, session = "" } = body;
  if (key !== undefined) return openWithKey(key.trim(), context);
  return link === undefined ? renew(session, context) : openWithLink(link, context);
}

async function openWithKey(typed: string, context: ProductContext): Promise<Opening | string> {
  const { product, callers, portalTokens } = context;
  const key = parseKey(typed);
  const caller =
    key !== null && product.keyPrefixes.includes(key.prefix) ? await callers.read(key.hash) : null;
  if (key === null || caller === null) {
    const prefixes = product.keyPrefixes.map((prefix) => `${prefix}_…`).join(" or ");
    return `the key is not good here: mistyped, revoked, or not one that starts with ${prefixes}`;
  }
  const accountId = caller.account.id;
  const openedBy = { keyHash: key.hash };
  return { caller, session: portalTokens.openSession({ product: product.tag, accountId, openedBy }) };
}

const BAD_LINK =
  "the link is not good here: cut short, revoked, or of another product or a removed account; ask for a new one";

async function openWithLink(text: string, context: ProductContext): Promise<Opening | string> {
  const { product, portalTokens, database, cells, clock } = context;
  const link = portalTokens.readLink(text);
  if (link === "over") return "the link is over; ask for a new one where you got it, or sign in with a key";
  if (link === "forged" || link.product !== product.tag) return BAD_LINK;
  const { linkId, accountId } = link;
  const session = portalTokens.openSession({ product: product.tag, accountId, openedBy: { linkId } });
  // Asked each time, so that a revoked link is refused at once on every node, and the operator sees that it was used.
  const [at, until] = [new Date(clock.nowMs()), new Date(session.lastEndMs)];
  const account = await followPortalLink(database, cells[0], link, at, until);
  return account === null ? BAD_LINK : { caller: { keyId: linkId, account }, session };
}

async function renew(text: string, context: ProductContext): Promise<Opening | string> {
  const { product, callers, portalTokens } = context;
  const session = portalTokens.readSession(text);
  const isHere = typeof session !== "string" && session.product === product.tag;
  const caller = isHere ? await callerWith(session, callers) : null;
  if (!isHere || caller === null) return "the session is over; sign in again";
  return { caller, session: portalTokens.renewSession(session) };
}
