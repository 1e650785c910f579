import { action, CommandError, group, type CommandFactory } from "../../cli/command.ts";
import type { OpenedStore } from "../../cli/context.ts";
import { JSON_OPTION, LIMIT_MAX, limitOption, oneOf, uuid } from "../../cli/options.ts";
import { printRows, type Column } from "../../cli/print.ts";
import { delivery } from "../../http/webhooks/endpoint.ts";
import type { Cell } from "../../store/cell.ts";
import { findEndpoint } from "../../store/endpoints/endpoints.ts";
import { searchDeliveries, type FoundDelivery } from "../../store/deliveries/deliveries-read.ts";
import { endpointsOf } from "./endpoints.ts";

const LIMIT_DEFAULT = 20;

/** As the endpoint's owner sees it (spec 2.2), where it goes, and when its next attempt is due. */
function operatorAnswer(found: FoundDelivery) {
  const { id, ...answer } = delivery.view(found);
  return {
    id,
    endpoint_id: found.endpointId,
    ...answer,
    next_attempt_at: found.dueAt?.toISOString() ?? null,
  };
}

type Delivery = ReturnType<typeof operatorAnswer>;

const COLUMNS: readonly Column<Delivery>[] = [
  ["ID", ({ id }) => id],
  ["EVENT", ({ event_type }) => event_type],
  ["STATUS", ({ status }) => status],
  ["ATTEMPTS", ({ attempt_count }) => attempt_count],
  ["CREATED", ({ created_at }) => created_at],
  ["DELIVERED", ({ delivered_at }) => delivered_at, "unless empty"],
  ["NEXT ATTEMPT", nextAttempt, "unless empty"],
  ["LAST ERROR", ({ last_error }) => last_error, "unless empty"],
];

const ENDPOINT: Column<Delivery> = ["ENDPOINT", ({ endpoint_id }) => endpoint_id];

function nextAttempt({ status, next_attempt_at }: Delivery): string | null {
  if (status !== "pending") return null;
  // Without a row in the queue, a node sends it now.
  return next_attempt_at ?? "in progress";
}

const list: CommandFactory = (at) =>
  action(
    "list",
    "List the newest deliveries of an endpoint, or of all endpoints of an account, newest first.",
    "boathook deliveries list --endpoint 01a1fc9c-74c2-7f0b-b7a4-6e0c59b7b0de --status dead",
  )
    .option("--endpoint <id>", "only deliveries to this endpoint", uuid)
    .option("--account <id>", "deliveries to all endpoints of this account", uuid)
    .option(
      "--status <status>",
      "only pending, delivered or dead deliveries",
      oneOf(["pending", "delivered", "dead"]),
    )
    .option(...limitOption(LIMIT_MAX, LIMIT_DEFAULT))
    .option(...JSON_OPTION)
    .action(async ({ endpoint, account, status = null, limit, json }) => {
      if ((account === undefined) === (endpoint === undefined)) {
        throw new CommandError("Give either --endpoint or --account.");
      }
      const opened = await at.open();
      const { cell, endpointIds } =
        account === undefined
          ? { cell: await cellOf(opened, endpoint!), endpointIds: [endpoint!] }
          : await accountScope(opened, account);
      const found = await searchDeliveries(opened.database, cell, endpointIds, status, limit);
      const columns = account === undefined ? COLUMNS : [ENDPOINT, ...COLUMNS];
      printRows(at, found.map(operatorAnswer), columns, json);
    });

async function accountScope(opened: OpenedStore, accountId: string) {
  const { cell, endpoints } = await endpointsOf(opened, accountId);
  return { cell, endpointIds: endpoints.map(({ id }) => id) };
}

/** An id alone does not say the cell. */
async function cellOf({ database, cells }: OpenedStore, endpointId: string): Promise<Cell> {
  for (const cell of cells) {
    if ((await findEndpoint(database, cell, endpointId)) !== null) return cell;
  }
  throw new CommandError(`There is no endpoint ${endpointId}.`, 1);
}

export const command = group("deliveries", "Deliveries: what was sent, what waits, and why it failed.", [
  list,
]);
