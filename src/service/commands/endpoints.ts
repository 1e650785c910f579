import type { Endpoint } from "../../model/endpoint.ts";
import { products } from "../../products/index.ts";
import { readAccount } from "../../store/accounts/accounts.ts";
import { listAccountEndpoints } from "../../store/endpoints/endpoints.ts";
import { action, CommandError, group } from "../../cli/command.ts";
import { parseId, JSON_OPTION } from "../../cli/options.ts";
import { jsonText, table, timeText } from "../../cli/table.ts";
import { withStore, type StoreContext } from "./with-store.ts";

export const command = group("Endpoints: where deliveries go.", {
  list: action({
    about: "Lists an account's endpoints on all products, newest first, with their health.",
    arguments: ["account-id"],
    argumentsOptional: true,
    options: {
      account: { type: "string", value: "id", about: "the account, as deliveries list takes it" },
      product: { type: "string", value: "tag", about: `only those on one of ${tags().join(", ")}` },
      json: JSON_OPTION,
    },
    examples: ["boathook endpoints list 01a1fc98-3684-702d-8add-9c7eb13bfa2f --product air"],
    async run({ options, positionals: [argument] }, at) {
      const { account, product } = options;
      const typed = argument ?? account;
      if (typed === undefined || (argument !== undefined && account !== undefined)) {
        throw new CommandError("give the account's id once, as <account-id> or with --account");
      }
      if (product !== undefined && !tags().includes(product)) {
        throw new CommandError(`--product must be one of ${tags().join(", ")}, not "${product}"`);
      }
      const accountId = parseId("an account", typed);
      const all = await withStore(at, (opened) => endpointsOf(opened, accountId));
      const endpoints = all.filter((endpoint) => product === undefined || endpoint.product === product);
      at.out(options.json === true ? jsonText(endpoints.map(asJson)) : asTable(endpoints));
      return 0;
    },
  }),
});

/** Throws `CommandRefused` when there is no such account. */
export async function endpointsOf(
  { store, cells }: StoreContext,
  accountId: string,
): Promise<readonly Endpoint[]> {
  const account = await readAccount(store.database, cells[0], accountId);
  const cell = account === null ? undefined : cells[account.cell];
  if (cell === undefined) throw new CommandError(`There is no account ${accountId}.`, 1);
  return listAccountEndpoints(store.database, cell, accountId);
}

function tags(): readonly string[] {
  return products.map(({ tag }) => tag);
}

/** The fields of spec 2.1, and whose it is. */
function asJson(endpoint: Endpoint): object {
  return {
    id: endpoint.id,
    account_id: endpoint.accountId,
    product: endpoint.product,
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    active: endpoint.active,
    failure_count: endpoint.failureCount,
    last_delivery_at: endpoint.lastDeliveryAt,
    created_at: endpoint.createdAt,
  };
}

function asTable(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map((endpoint) => [
    endpoint.id,
    endpoint.product,
    endpoint.active ? "yes" : "no",
    endpoint.failureCount,
    timeText(endpoint.lastDeliveryAt),
    endpoint.eventTypes.join(",") || "all",
    endpoint.url,
  ]);
  return table(["ID", "PRODUCT", "ACTIVE", "FAILURES", "LAST DELIVERY", "EVENTS", "URL"], rows);
}
