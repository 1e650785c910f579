/** Sessions of the portal and links to it. */
import assert from "node:assert/strict";

import { send, sendAsOperator, sendWithKey, type Answer, type TestListeners } from "../support/service.ts";

type On = Pick<TestListeners, "api" | "ops">;

/** Signs in with a key, a link or a session. */
export const openPortal = (service: On, body: object, tag = "tracking"): Promise<Answer> =>
  send(service.api, { method: "POST", url: `/${tag}/v1/portal/session`, payload: body });

/** The token of a session that opens. */
export async function tokenOf(service: On, body: object, tag?: string): Promise<string> {
  const { status, body: opened } = await openPortal(service, body, tag);
  assert.equal(status, 201);
  return opened.data.token;
}

export const linksOf = (accountId: string): string => `/v1/accounts/${accountId}/portal-links`;

export async function mintLink(service: On, accountId: string, body: object = {}) {
  const minted = await sendAsOperator(service, "POST", linksOf(accountId), { product: "tracking", ...body });
  assert.equal(minted.status, 201, JSON.stringify(minted.body));
  const { url, ...link } = minted.body;
  const fragment = new URLSearchParams(new URL(url).hash.slice(1));
  return { url: new URL(url), fragment, link, id: link.id as string, text: fragment.get("link")! };
}

/** The status of a read with what a client bears. */
export const statusWith = async (service: On, bearer: string, tag = "tracking"): Promise<number> =>
  (await sendWithKey(service, bearer, "GET", `/${tag}/v1/webhooks`)).status;
