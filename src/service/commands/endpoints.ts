import { action, CommandError, group, type CommandFactory } from "../../cli/command.ts";
import type { CommandContext, OpenedStore } from "../../cli/context.ts";
import { JSON_OPTION, LIMIT_MAX, oneOf, uuid, wholeNumber } from "../../cli/options.ts";
import { printRow, printRows, type Column } from "../../cli/print.ts";
import { cellOf } from "../../freight/tracking/shipment-commands.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import { operatorEndpoint } from "../../operator/endpoints.ts";
import { products } from "../../products/index.ts";
import type { Cell } from "../../store/cell.ts";
import { endpointListOfAccount } from "../../store/endpoints/endpoints.sql.ts";
import { lost } from "./lost-endpoints.ts";

type Shown = ReturnType<typeof operatorEndpoint.view>;

const COLUMNS: readonly Column<Shown>[] = [
  ["ID", ({ id }) => id],
  ["PRODUCT", ({ product }) => product],
  ["ACTIVE", ({ active }) => (active ? "yes" : "no")],
  ["FAILURES", ({ failure_count }) => failure_count],
  ["OFF SINCE", ({ disabled_at }) => disabled_at, "unless empty"],
  ["WHY", ({ disabled_reason }) => disabled_reason, "unless empty"],
  ["MISSED", ({ missed_events: missed }) => missed || null, "unless empty"],
  ["LAST DELIVERY", ({ last_delivery_at }) => last_delivery_at],
  ["EVENTS", ({ event_types }) => event_types.join(",") || "all"],
  ["URL", ({ url }) => url],
];

const ACCOUNT: Column<Shown> = ["ACCOUNT", ({ account_id }) => account_id];

const FAILING_DEFAULT = 50;

const TAGS = products.map(({ tag }) => tag);

const list: CommandFactory = (at) =>
  action(
    "list",
    "List an account's endpoints on all products, newest first, with their health; or all accounts' that fail, those " +
      "that are off first. The status is 1 when a cell does not answer.",
    "boathook endpoints list 01a1fc98-3684-702d-8add-9c7eb13bfa2f --product air",
    "boathook endpoints list --failing",
  )
    .argument("[account-id]", "", uuid)
    .option("--account <id>", "the account, as deliveries list takes it", uuid)
    .option("--product <tag>", `only endpoints on one of ${TAGS.join(", ")}`, oneOf(TAGS))
    .option("--failing", "endpoints of all accounts that fail, or that failures have disabled")
    .option("--limit <number>", "how many failing ones at most", wholeNumber(1, LIMIT_MAX), FAILING_DEFAULT)
    .option(...JSON_OPTION)
    .action(async (argument, { account, product, failing, limit, json }) => {
      const accountId = argument ?? account;
      if (failing === true) {
        if (accountId !== undefined || product !== undefined)
          throw new CommandError("--failing is for all accounts and products: give it alone.");
        return printFailing(at, limit, json);
      }
      if (accountId === undefined || (argument !== undefined && account !== undefined)) {
        throw new CommandError("Give the account's id once, as <account-id> or with --account.");
      }
      const { endpoints } = await endpointsOf(await at.open(), accountId);
      const wanted = endpoints.filter((endpoint) => product === undefined || endpoint.product === product);
      printRows(at, wanted.map(operatorEndpoint.view), COLUMNS, json);
    });

async function printFailing(at: CommandContext, limit: number, json: boolean | undefined): Promise<void> {
  const { ask } = await at.open();
  const { endpoints, unavailable_cells: unavailable } = await ask("GET /v1/endpoints/failing", { limit });
  printRows(at, endpoints, [ACCOUNT, ...COLUMNS], json);
  if (unavailable.length === 0) return;
  at.err(`Endpoints are missing here: these cells do not answer: ${unavailable.join(", ")}.\n`);
  at.exitStatus = 1;
}

const enable: CommandFactory = (at) =>
  action(
    "enable",
    "Enable an endpoint, as its owner could: what is parked goes on, and nothing that it missed is sent.",
    "boathook endpoints enable 01a1fc9c-74c2-7f0b-b7a4-6e0c59b7b0de",
  )
    .argument("<endpoint-id>", "", uuid)
    .option(...JSON_OPTION)
    .action(async (id, { json }) => {
      const { ask } = await at.open();
      printRow(at, await ask("POST /v1/endpoints/{id}/enable", { id }), COLUMNS, json);
    });

/** All of an account, and the cell that they are in. Throws `CommandError` when there is no such account. */
export async function endpointsOf(
  opened: OpenedStore,
  accountId: string,
): Promise<{ readonly cell: Cell; readonly endpoints: readonly Endpoint[] }> {
  const cell = await cellOf(opened, accountId);
  return { cell, endpoints: await endpointListOfAccount(opened.database, cell, accountId) };
}

export const command = group("endpoints", "Endpoints are the URLs that deliveries go to.", [
  list,
  enable,
  lost,
]);
