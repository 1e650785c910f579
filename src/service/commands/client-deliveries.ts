/** Deliveries as a client's key reads them, from the public API. */
import { EnvHttpProxyAgent } from "undici";

import { CommandError } from "../../cli/command.ts";
import type { deliveryDetail, loggedDelivery } from "../../http/webhooks/delivery.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import { askAsClient, keyOf, productUrl, proxiesOf, type ClientRequest } from "./client-request.ts";

type Context = Pick<ProcessContext, "environment" | "readInput">;

export type ClientOptions = {
  readonly url: string;
  readonly key?: string | undefined;
  readonly keyFile?: string | undefined;
};

export type ClientDelivery = ReturnType<(typeof loggedDelivery)["view"]> & { readonly endpoint_id: string };

/** Of all the account's endpoints on the product, or of the one named, newest first. */
export async function listAsClient(
  at: Context,
  options: ClientOptions,
  { endpoint, status, limit }: { endpoint?: string | undefined; status?: string | undefined; limit: number },
): Promise<readonly ClientDelivery[]> {
  return asClient(at, options, async (client) => {
    const query = new URLSearchParams({ limit: String(limit), ...(status !== undefined && { status }) });
    const found: ClientDelivery[] = [];
    for (const id of endpoint === undefined ? await endpointIds(client) : [endpoint]) {
      const path = `/v1/webhooks/${id}/deliveries?${query.toString()}`;
      const page = await askAsClient<readonly ClientDelivery[]>(client, "GET", path);
      found.push(...page.map((one) => ({ ...one, endpoint_id: id })));
    }
    // Ids begin with their time.
    return found.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
  });
}

/** An id alone does not say the endpoint. */
export async function readAsClient(at: Context, options: ClientOptions, id: string) {
  return asClient(at, options, async (client) => {
    for (const endpoint of await endpointIds(client)) {
      const path = `/v1/webhooks/${endpoint}/deliveries/${id}`;
      const found = await askAsClient<ReturnType<(typeof deliveryDetail)["view"]> | null>(
        client,
        "GET",
        path,
        { absent: null },
      );
      if (found !== null) return { ...found, endpoint_id: endpoint };
    }
    throw new CommandError(`Your account has no delivery ${id} on ${client.url}.`, 1);
  });
}

/** An account has 100 endpoints at most, which is a page. */
async function endpointIds(client: ClientRequest): Promise<readonly string[]> {
  const endpoints = await askAsClient<readonly { readonly id: string }[]>(
    client,
    "GET",
    "/v1/webhooks?limit=100",
  );
  return endpoints.map(({ id }) => id);
}

async function asClient<T>(
  at: Context,
  options: ClientOptions,
  work: (client: ClientRequest) => Promise<T>,
): Promise<T> {
  const proxied = new EnvHttpProxyAgent(proxiesOf(at.environment));
  try {
    return await work({ url: productUrl(options.url), key: await keyOf(options, at), proxied });
  } finally {
    await proxied.destroy();
  }
}
