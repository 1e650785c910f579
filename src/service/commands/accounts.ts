import type { Operator } from "@boathook/client";

import { action, CommandError, group, type CommandFactory } from "../../cli/command.ts";
import type { OperatorRequest } from "../../cli/context.ts";
import { JSON_OPTION, nameList, oneOf, uuid } from "../../cli/options.ts";
import { printAnswer, printRow, printRows, type Column } from "../../cli/print.ts";

type Account = Operator["schemas"]["Account"];

const COLUMNS: readonly Column<Account>[] = [
  ["ID", ({ id }) => id],
  ["NAME", ({ name }) => name],
  ["ENTITLEMENTS", ({ entitlements }) => entitlements.join(",")],
  ["DEMURRAGE", ({ demurrage_alerting: isOn }) => (isOn ? "on" : "off")],
  ["CREATED", ({ created_at }) => created_at],
];

const PAGE_MAX = 100;
const ENTITLEMENTS = [
  "--entitlements <list>",
  "what it may write to, with commas: aircargo,freightrates,loading",
  nameList,
] as const;

const list: CommandFactory = (at) =>
  action("list", "List all accounts, newest first.", "boathook accounts list")
    .option(...JSON_OPTION)
    .action(async ({ json }) => {
      const { ask } = await at.open();
      printRows(at, await listAllAccounts(ask), COLUMNS, json);
    });

async function listAllAccounts(ask: OperatorRequest): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask("GET /v1/accounts", { limit: PAGE_MAX, cursor });
    accounts.push(...page.accounts);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return accounts;
}

const create: CommandFactory = (at) =>
  action(
    "create",
    "Create an account.",
    "boathook accounts create 'Acme Forwarding' --entitlements aircargo,loading",
  )
    .argument("<name>", "what you call the account")
    .option(...ENTITLEMENTS)
    .option(...JSON_OPTION)
    .action(async (name, { entitlements = [], json }) => {
      // The first account may come before the first start.
      const { ask } = await at.open({ mayCreate: "embedded" });
      printRow(at, await ask("POST /v1/accounts", {}, { name, entitlements }), COLUMNS, json);
    });

const show: CommandFactory = (at) =>
  action("show", "Show one account.", "boathook accounts show 01a1fc98-3684-702d-8add-9c7eb13bfa2f")
    .argument("<account-id>")
    .option(...JSON_OPTION)
    .action(async (id, { json }) => {
      const { ask } = await at.open();
      printRow(at, await ask("GET /v1/accounts/{id}", { id }), COLUMNS, json);
    });

const update: CommandFactory = (at) =>
  action(
    "update",
    "Change an account. Only what you give changes.",
    "boathook accounts update 01a1fc98-3684-702d-8add-9c7eb13bfa2f --entitlements aircargo",
  )
    .argument("<account-id>")
    .option("--name <text>", "what you call the account")
    .option(...ENTITLEMENTS)
    .option(
      "--demurrage-alerting <on|off>",
      "whether demurrage events are raised for it",
      oneOf(["on", "off"]),
    )
    .option(...JSON_OPTION)
    .action(async (id, { name, entitlements, demurrageAlerting, json }) => {
      if (name === undefined && entitlements === undefined && demurrageAlerting === undefined) {
        throw new CommandError("Nothing to change: give --name, --entitlements or --demurrage-alerting.");
      }
      const isAlerting = demurrageAlerting === undefined ? undefined : demurrageAlerting === "on";
      const { ask } = await at.open();
      const change = { name, entitlements, demurrage_alerting: isAlerting };
      printRow(at, await ask("PATCH /v1/accounts/{id}", { id }, change), COLUMNS, json);
    });

const remove: CommandFactory = (at) =>
  action(
    "remove",
    "Remove an account with all that is its: keys, endpoints, deliveries, shipments and plans. Run it again after any " +
      "failure. It asks for the account's name unless you give --yes.",
    "boathook accounts remove 01a1fc98-3684-702d-8add-9c7eb13bfa2f",
  )
    .argument("<account-id>", "an id that boathook accounts list shows", uuid)
    .option("--yes", "do not ask")
    .option(...JSON_OPTION)
    .action(async (id, { yes, json }) => {
      const { ask } = await at.open();
      const { name } = await ask("GET /v1/accounts/{id}", { id });
      if (yes !== true) {
        at.err(`This removes the account ${name} for good. Type its name to go on: `);
        if ((await at.readLine()).trim() !== name.trim()) throw new CommandError("Nothing was removed.", 1);
      }
      let answer = await ask("DELETE /v1/accounts/{id}", { id });
      while (!answer.deleted) answer = await ask("DELETE /v1/accounts/{id}", { id });
      printAnswer(at, answer, `The account ${name} is removed.`, json);
    });

export const command = group("accounts", "Accounts own endpoints and API keys.", [
  list,
  create,
  show,
  update,
  remove,
]);
