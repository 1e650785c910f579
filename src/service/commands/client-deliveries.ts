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

/** Of all the account's endpoints on the product, or of the one named, newest first. */
async function list(client: ProductClient, query: Readonly<Record<string, string>>) {
  const { endpoint_id: endpoint, limit, type: eventType, ...rest } = query;
  const asked = { ...(rest as LogQuery), limit: Number(limit), event_type: eventType };
  const found: (object & { readonly id: string })[] = [];
  for (const id of endpoint === undefined ? await endpointIds(client) : [endpoint]) {
    const { data } = await client.askOrThrow("GET /v1/webhooks/{id}/deliveries", { id, ...asked });
    found.push(...data.map((one) => ({ ...one, endpoint_id: id })));
  }
  // Ids begin with their time.
  return found.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, asked.limit);
}

/** An id alone does not say the endpoint. */
async function read(client: ProductClient, id: string) {
  for (const endpoint of await endpointIds(client)) {
    const route = "GET /v1/webhooks/{id}/deliveries/{delivery_id}";
    const found = await client.ask(route, { id: endpoint, delivery_id: id });
    if (found.ok) return { ...found.value.data, endpoint_id: endpoint };
    if (found.failure.status !== 404) throw refused(client.url, found.failure);
  }
  throw new CommandError(`Your account has no delivery ${id} on ${client.url}.`, 1);
}

/** An account has 100 endpoints at most, which is a page. */
async function endpointIds({ askOrThrow }: ProductClient): Promise<readonly string[]> {
  const { data } = await askOrThrow("GET /v1/webhooks", { limit: 100 });
  return data.map(({ id }) => id);
}
