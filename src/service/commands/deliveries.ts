import { action, CommandError, group, type CommandFactory } from "../../cli/command.ts";
import type { CommandContext, OpenedStore } from "../../cli/context.ts";
import { JSON_OPTION, LIMIT_MAX, limitOption, oneOf, uuid } from "../../cli/options.ts";
import { facts, jsonText, printRows, table, type Column } from "../../cli/print.ts";
import type { operatorAttempt } from "../../http/webhooks/delivery.ts";
import { operatorDelivery } from "../../operator/endpoints.ts";
import type { Cell } from "../../store/cell.ts";
import { endpointFind } from "../../store/endpoints/endpoints.sql.ts";
import { deliverySearch } from "../../store/deliveries/deliveries.sql.ts";
import { listAsClient, readAsClient, type ClientDelivery, type ClientOptions } from "./client-deliveries.ts";
import { KEY_FILE_OPTION, KEY_OPTION, PRODUCT_URL_OPTION } from "./client-options.ts";
import { endpointsOf } from "./endpoints.ts";

const LIMIT_DEFAULT = 20;

type Delivery = ReturnType<typeof operatorDelivery> | ClientDelivery;

const COLUMNS: readonly Column<Delivery>[] = [
  ["ID", ({ id }) => id],
  ["EVENT", ({ event_type }) => event_type],
  ["STATUS", ({ status }) => status],
  ["ATTEMPTS", ({ attempt_count }) => attempt_count],
  ["CREATED", ({ created_at }) => created_at],
  ["DELIVERED", ({ delivered_at }) => delivered_at, "unless empty"],
  ["NEXT ATTEMPT", nextAttempt, "unless empty"],
  ["PARKED UNTIL", ({ parked_until }) => parked_until, "unless empty"],
  ["LAST ERROR", ({ last_error }) => last_error, "unless empty"],
];

const ENDPOINT: Column<Delivery> = ["ENDPOINT", ({ endpoint_id }) => endpoint_id];

function nextAttempt({ status, next_attempt_at, parked_until }: Delivery): string | null {
  if (status !== "pending" || parked_until !== null) return null;
  // Without a row in the queue, a node sends it now.
  return next_attempt_at ?? "in progress";
}

const list: CommandFactory = (at) =>
  action(
    "list",
    "List the newest deliveries of an endpoint, or of all endpoints of an account, newest first. With a key, the client reads their own.",
    "boathook deliveries list --endpoint 01a1fc9c-74c2-7f0b-b7a4-6e0c59b7b0de --status dead",
    "boathook deliveries list --url https://webhooks.example.com/air --key-file key.txt",
  )
    .option("--endpoint <id>", "only deliveries to this endpoint", uuid)
    .option("--account <id>", "deliveries to all endpoints of this account", uuid)
    .option(
      "--status <status>",
      "only pending, delivered or dead deliveries",
      oneOf(["pending", "delivered", "dead"]),
    )
    .option(...limitOption(LIMIT_MAX, LIMIT_DEFAULT))
    .option(...PRODUCT_URL_OPTION)
    .option(...KEY_OPTION)
    .option(...KEY_FILE_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ endpoint, account, status, limit, json, ...client }) => {
      if (isClient(client)) {
        if (account !== undefined) throw new CommandError("A key says the account: leave --account out.");
        const found = await listAsClient(at, client, { endpoint, status, limit });
        return printRows(at, found, endpoint === undefined ? [ENDPOINT, ...COLUMNS] : COLUMNS, json);
      }
      if ((account === undefined) === (endpoint === undefined)) {
        throw new CommandError("Give either --endpoint or --account, or an API key of the account.");
      }
      const opened = await at.open();
      const { cell, endpointIds } =
        account === undefined
          ? { cell: await cellOf(opened, endpoint!), endpointIds: [endpoint!] }
          : await accountScope(opened, account);
      const found = await deliverySearch(opened.database, cell, {
        endpointIds,
        status: status ?? null,
        limit,
      });
      const columns = account === undefined ? COLUMNS : [ENDPOINT, ...COLUMNS];
      printRows(
        at,
        found.map((one) => operatorDelivery(one, opened.settings.parkedMs)),
        columns,
        json,
      );
    });

type ShownDelivery = Readonly<Record<string, string | number | null>> & {
  readonly attempts: readonly ReturnType<typeof operatorAttempt.view>[];
  /** A client reads these here, the operator with `GET /v1/deliveries/{id}/body`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const ATTEMPTS: readonly Column<ShownDelivery["attempts"][number]>[] = [
  ["ATTEMPT", ({ number }) => number],
  ["ENDED", ({ ended_at }) => ended_at],
  ["MS", ({ duration_ms }) => duration_ms],
  ["ADDRESS", ({ address }) => address],
  ["STATUS", ({ status_code }) => status_code],
  ["BYTES", ({ answer_bytes }) => answer_bytes],
  ["ERROR", ({ error }) => error],
];

const show: CommandFactory = (at) =>
  action(
    "show",
    "Show one delivery: where it goes, and what became of it. With a key, also what is sent.",
    "boathook deliveries show 01a1fca1-0d6e-7f35-8f0c-6ad2b9f0c1d4",
  )
    .argument("<delivery-id>", "the id in its body and header", uuid)
    .option(...PRODUCT_URL_OPTION)
    .option(...KEY_OPTION)
    .option(...KEY_FILE_OPTION)
    .option(...JSON_OPTION)
    .action(async (id, { json, ...client }) => {
      const found = isClient(client) ? await readAsClient(at, client, id) : await readAsOperator(at, id);
      if (json === true) return at.out(jsonText(found));
      const { attempts, body = "", headers = {}, ...delivery } = found as object as ShownDelivery;
      const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
      const asSent = body === "" ? "" : `\n${sent.join("")}\n${body}\n`;
      at.out(`${facts(Object.entries(delivery))}\n${table(attempts, ATTEMPTS)}${asSent}`);
    });

async function readAsOperator(at: CommandContext, id: string) {
  const { ask } = await at.open();
  return ask("GET /v1/deliveries/{id}", { id });
}

/** A key is a client's: without one, the command reads as the operator. */
function isClient({ key, keyFile }: ClientOptions): boolean {
  return key !== undefined || keyFile !== undefined;
}

async function accountScope(opened: OpenedStore, accountId: string) {
  const { cell, endpoints } = await endpointsOf(opened, accountId);
  return { cell, endpointIds: endpoints.map(({ id }) => id) };
}

/** An id alone does not say the cell. */
async function cellOf({ database, cells }: OpenedStore, endpointId: string): Promise<Cell> {
  for (const cell of cells) {
    if ((await endpointFind(database, cell, endpointId)) !== null) return cell;
  }
  throw new CommandError(`There is no endpoint ${endpointId}.`, 1);
}

export const command = group("deliveries", "Deliveries: what was sent, what waits, and why it failed.", [
  list,
  show,
]);
