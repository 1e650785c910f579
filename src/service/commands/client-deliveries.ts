/** Deliveries as a client's key reads them from the public API, in the shape of the operator's routes. */
import { Option } from "commander";

import { CommandError } from "../../cli/command.ts";
import type { OtherApi } from "../../cli/resource-command.ts";
import { KEY_FILE_OPTION, KEY_OPTION, PRODUCT_URL_OPTION } from "./client-options.ts";
import {
  keyOf,
  productClient,
  productUrl,
  refused,
  withProxies,
  type ProductClient,
} from "./client-request.ts";

type Given = { readonly url: string; readonly key?: string; readonly keyFile?: string };
type LogQuery = { readonly since?: string; readonly until?: string; readonly status?: "pending" };

/** A key is a client's: without one, the command reads as the operator. */
export const asClient: OtherApi = {
  options: () => [
    new Option(PRODUCT_URL_OPTION[0], PRODUCT_URL_OPTION[1]).default(PRODUCT_URL_OPTION[2]),
    ...[KEY_OPTION, KEY_FILE_OPTION].map(([flags, about]) => new Option(flags, about)),
  ],
  ask(at, options) {
    const given = options as Given;
    if (given.key === undefined && given.keyFile === undefined) return null;
    return async ({ url }) => {
      const { pathname, searchParams } = new URL(url, "http://operator");
      // Whether an endpoint of an empty list is there: the list has refused one that is not.
      if (!pathname.startsWith("/v1/deliveries")) return { status: 200, value: null };
      const [, id] = /^\/v1\/deliveries\/(.+)$/.exec(pathname) ?? [];
      const query = Object.fromEntries(searchParams);
      if ("account_id" in query) throw new CommandError("A key says the account: leave --account out.");
      const key = await keyOf(given, at);
      return withProxies(at, async (proxied) => {
        const client = productClient(productUrl(given.url), key, proxied);
        const value = id === undefined ? { deliveries: await list(client, query) } : await read(client, id);
        return { status: 200, value };
      });
    };
  },
};

/** The most that one page holds. */
const PAGE_MAX = 100;

/** Of all the account's endpoints on the product, or of the one named, newest first. */
async function list(client: ProductClient, query: Readonly<Record<string, string>>) {
  const { limit: wanted, type: eventType, ...rest } = query;
  const most = Number(wanted);
  const asked = { ...(rest as LogQuery), event_type: eventType, limit: Math.min(most, PAGE_MAX) };
  const found: object[] = [];
  for (let cursor: string | undefined; ;) {
    const { data, next_cursor: next } = await client.askOrThrow("GET /v1/deliveries", { ...asked, cursor });
    found.push(...data);
    if (next === undefined || found.length >= most) return found.slice(0, most);
    cursor = next;
  }
}

/** An id alone does not say the endpoint. */
async function read(client: ProductClient, id: string) {
  // An account has 100 endpoints at most, which is a page.
  const { data: endpoints } = await client.askOrThrow("GET /v1/webhooks", { limit: PAGE_MAX });
  for (const { id: endpoint } of endpoints) {
    const route = "GET /v1/webhooks/{id}/deliveries/{delivery_id}";
    const found = await client.ask(route, { id: endpoint, delivery_id: id });
    if (found.ok) return { ...found.value.data, endpoint_id: endpoint };
    if (found.failure.status !== 404) throw refused(client.url, found.failure);
  }
  throw new CommandError(`Your account has no delivery ${id} on ${client.url}.`, 1);
}
