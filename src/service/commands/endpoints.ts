import { action, CommandError, group, type CommandFactory } from "../../cli/command.ts";
import type { OpenedStore } from "../../cli/context.ts";
import { JSON_OPTION, oneOf, uuid } from "../../cli/options.ts";
import { printRows, type Column } from "../../cli/print.ts";
import { cellOf } from "../../freight/tracking/shipment-commands.ts";
import { listedEndpoint } from "../../http/webhooks/endpoint.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import { products } from "../../products/index.ts";
import type { Cell } from "../../store/cell.ts";
import { listAccountEndpoints } from "../../store/endpoints/endpoints.ts";

/** As its owner sees it, and whose it is. */
function operatorAnswer(endpoint: Endpoint) {
  const { id, ...answer } = listedEndpoint.view(endpoint);
  return { id, account_id: endpoint.accountId, product: endpoint.product, ...answer };
}

const COLUMNS: readonly Column<ReturnType<typeof operatorAnswer>>[] = [
  ["ID", ({ id }) => id],
  ["PRODUCT", ({ product }) => product],
  ["ACTIVE", ({ active }) => (active ? "yes" : "no")],
  ["FAILURES", ({ failure_count }) => failure_count],
  ["LAST DELIVERY", ({ last_delivery_at }) => last_delivery_at],
  ["EVENTS", ({ event_types }) => event_types.join(",") || "all"],
  ["URL", ({ url }) => url],
];

const TAGS = products.map(({ tag }) => tag);

const list: CommandFactory = (at) =>
  action(
    "list",
    "List an account's endpoints on all products, newest first, with their health.",
    "boathook endpoints list 01a1fc98-3684-702d-8add-9c7eb13bfa2f --product air",
  )
    .argument("[account-id]", "", uuid)
    .option("--account <id>", "the account, as deliveries list takes it", uuid)
    .option("--product <tag>", `only endpoints on one of ${TAGS.join(", ")}`, oneOf(TAGS))
    .option(...JSON_OPTION)
    .action(async (argument, { account, product, json }) => {
      const accountId = argument ?? account;
      if (accountId === undefined || (argument !== undefined && account !== undefined)) {
        throw new CommandError("Give the account's id once, as <account-id> or with --account.");
      }
      const { endpoints } = await endpointsOf(await at.open(), accountId);
      const wanted = endpoints.filter((endpoint) => product === undefined || endpoint.product === product);
      printRows(at, wanted.map(operatorAnswer), COLUMNS, json);
    });

/** All of an account, and the cell that they are in. Throws `CommandError` when there is no such account. */
export async function endpointsOf(
  opened: OpenedStore,
  accountId: string,
): Promise<{ readonly cell: Cell; readonly endpoints: readonly Endpoint[] }> {
  const cell = await cellOf(opened, accountId);
  return { cell, endpoints: await listAccountEndpoints(opened.database, cell, accountId) };
}

export const command = group("endpoints", "Endpoints are the URLs that deliveries go to.", [list]);
