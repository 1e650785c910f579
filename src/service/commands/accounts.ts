import { action, CommandError, group, type CommandFactory } from "../../cli/command.ts";
import type { OperatorRequest } from "../../cli/context.ts";
import { JSON_OPTION, nameList, oneOf } from "../../cli/options.ts";
import { printRow, printRows, type Column } from "../../cli/print.ts";
import type { accountAnswer } from "../../operator/accounts.ts";

type Account = ReturnType<typeof accountAnswer>;

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

type Page = { readonly accounts: readonly Account[]; readonly next_cursor?: string };

async function listAllAccounts(ask: OperatorRequest): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  for (let cursor = ""; ;) {
    const page: Page = await ask("GET", `/v1/accounts?limit=${PAGE_MAX}${cursor}`);
    accounts.push(...page.accounts);
    if (page.next_cursor === undefined) return accounts;
    cursor = `&cursor=${page.next_cursor}`;
  }
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
      const { ask } = await at.open({ mayCreate: true });
      printRow(at, await ask<Account>("POST", "/v1/accounts", { name, entitlements }), COLUMNS, json);
    });

const show: CommandFactory = (at) =>
  action("show", "Show one account.", "boathook accounts show 01a1fc98-3684-702d-8add-9c7eb13bfa2f")
    .argument("<account-id>")
    .option(...JSON_OPTION)
    .action(async (id, { json }) => {
      const { ask } = await at.open();
      printRow(at, await ask<Account>("GET", pathOf(id)), COLUMNS, json);
    });

const update: CommandFactory = (at) =>
  action(
    "update",
    "Change an account. What you do not give stays as it is.",
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
      printRow(at, await ask<Account>("PATCH", pathOf(id), change), COLUMNS, json);
    });

function pathOf(typedId: string): string {
  return `/v1/accounts/${encodeURIComponent(typedId)}`;
}

export const command = group("accounts", "Accounts own endpoints and API keys.", [
  list,
  create,
  show,
  update,
]);
