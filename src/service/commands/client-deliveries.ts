/** Deliveries as a client's key reads them, from the public API. */
import type { AnyProduct } from "@boathook/client";
import { EnvHttpProxyAgent } from "undici";

import { CommandError } from "../../cli/command.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import {
  keyOf,
  productClient,
  productUrl,
  proxiesOf,
  refused,
  type ProductClient,
} from "./client-request.ts";

type Context = Pick<ProcessContext, "environment" | "readInput">;

export type ClientOptions = {
  readonly url: string;
  readonly key?: string | undefined;
  readonly keyFile?: string | undefined;
};

type Status = AnyProduct["schemas"]["LoggedDelivery"]["status"];
export type ClientDelivery = AnyProduct["schemas"]["LoggedDelivery"] & { readonly endpoint_id: string };

/** Of all the account's endpoints on the product, or of the one named, newest first. */
export async function listAsClient(
  at: Context,
  options: ClientOptions,
  { endpoint, status, limit }: { endpoint?: string | undefined; status?: Status | undefined; limit: number },
): Promise<readonly ClientDelivery[]> {
  return asClient(at, options, async (client) => {
    const found: ClientDelivery[] = [];
    for (const id of endpoint === undefined ? await endpointIds(client) : [endpoint]) {
      const { data } = await client.askOrThrow("GET /v1/webhooks/{id}/deliveries", { id, limit, status });
      found.push(...data.map((one) => ({ ...one, endpoint_id: id })));
    }
    // Ids begin with their time.
    return found.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
  });
}

/** An id alone does not say the endpoint. */
export async function readAsClient(at: Context, options: ClientOptions, id: string) {
  return asClient(at, options, async (client) => {
    for (const endpoint of await endpointIds(client)) {
      const route = "GET /v1/webhooks/{id}/deliveries/{delivery_id}";
      const found = await client.ask(route, { id: endpoint, delivery_id: id });
      if (found.ok) return { ...found.value.data, endpoint_id: endpoint };
      if (found.failure.status !== 404) throw refused(client.url, found.failure);
    }
    throw new CommandError(`Your account has no delivery ${id} on ${client.url}.`, 1);
  });
}

/** An account has 100 endpoints at most, which is a page. */
async function endpointIds({ askOrThrow }: ProductClient): Promise<readonly string[]> {
  const { data } = await askOrThrow("GET /v1/webhooks", { limit: 100 });
  return data.map(({ id }) => id);
}

async function asClient<T>(
  at: Context,
  options: ClientOptions,
  work: (client: ProductClient) => Promise<T>,
): Promise<T> {
  const proxied = new EnvHttpProxyAgent(proxiesOf(at.environment));
  try {
    return await work(productClient(productUrl(options.url), await keyOf(options, at), proxied));
  } finally {
    await proxied.destroy();
  }
}
