import type { ProcessContext } from "../../runtime/process-context.ts";
import { action, CommandError, group } from "../../cli/command.ts";
import { asOperator, pathSegment, type OperatorRequest } from "./operator.ts";
import { JSON_OPTION, parseNames } from "../../cli/options.ts";
import { jsonText, table, timeText } from "../../cli/table.ts";

type Account = {
  readonly id: string;
  readonly name: string;
  readonly entitlements: readonly string[];
  readonly demurrage_alerting: boolean;
  readonly created_at: string;
};

type Page = { readonly accounts: readonly Account[]; readonly next_cursor?: string };

const PAGE_MAX = 100;

const ENTITLEMENTS_OPTION = {
  type: "string",
  value: "list",
  about: "what it may write to, with commas: aircargo,freightrates,loading",
} as const;

export const command = group("Accounts: whose endpoints and keys there are.", {
  list: action({
    about: "Lists all accounts, newest first.",
    arguments: [],
    options: { json: JSON_OPTION },
    examples: ["boathook accounts list"],
    async run({ options }, at) {
      show(await asOperator(at, listAllAccounts), options.json, at);
      return 0;
    },
  }),
  create: action({
    about: "Makes an account.",
    arguments: ["name"],
    options: { entitlements: ENTITLEMENTS_OPTION, json: JSON_OPTION },
    examples: ["boathook accounts create 'Acme Forwarding' --entitlements aircargo,loading"],
    async run({ options, positionals: [name] }, at) {
      const entitlements = parseNames(options.entitlements ?? "");
      // The first account may come before the first start.
      const account = await asOperator(
        at,
        (ask) => ask<Account>("POST", "/v1/accounts", { name, entitlements }),
        { mayCreate: true },
      );
      show(account, options.json, at);
      return 0;
    },
  }),
  show: action({
    about: "Shows one account.",
    arguments: ["account-id"],
    options: { json: JSON_OPTION },
    examples: ["boathook accounts show 01a1fc98-3684-702d-8add-9c7eb13bfa2f"],
    async run({ options, positionals: [id = ""] }, at) {
      show(
        await asOperator(at, (ask) => ask<Account>("GET", `/v1/accounts/${pathSegment(id)}`)),
        options.json,
        at,
      );
      return 0;
    },
  }),
  update: action({
    about: "Changes an account: what is not given stays as it is.",
    arguments: ["account-id"],
    options: {
      name: { type: "string", value: "text", about: "what you call it" },
      entitlements: ENTITLEMENTS_OPTION,
      "demurrage-alerting": {
        type: "string",
        value: "on|off",
        about: "whether demurrage events are raised for it",
      },
      json: JSON_OPTION,
    },
    examples: ["boathook accounts update 01a1fc98-3684-702d-8add-9c7eb13bfa2f --entitlements aircargo"],
    async run({ options, positionals: [id = ""] }, at) {
      const alerting = options["demurrage-alerting"];
      const change = {
        ...(options.name === undefined ? {} : { name: options.name }),
        ...(options.entitlements === undefined ? {} : { entitlements: parseNames(options.entitlements) }),
        ...(alerting === undefined ? {} : { demurrage_alerting: onOrOff(alerting) }),
      };
      if (Object.keys(change).length === 0) {
        throw new CommandError("nothing to change: give --name, --entitlements or --demurrage-alerting");
      }
      const path = `/v1/accounts/${pathSegment(id)}`;
      show(await asOperator(at, (ask) => ask<Account>("PATCH", path, change)), options.json, at);
      return 0;
    },
  }),
});

async function listAllAccounts(ask: OperatorRequest): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  for (let cursor = ""; ;) {
    const page: Page = await ask("GET", `/v1/accounts?limit=${PAGE_MAX}${cursor}`);
    accounts.push(...page.accounts);
    if (page.next_cursor === undefined) return accounts;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

function show(shown: Account | readonly Account[], json: boolean | undefined, at: ProcessContext): void {
  if (json === true) return at.out(jsonText(shown));
  const rows = [shown]
    .flat()
    .map((account) => [
      account.id,
      account.name,
      account.entitlements.join(",") || "-",
      account.demurrage_alerting ? "on" : "off",
      timeText(new Date(account.created_at)),
    ]);
  at.out(table(["ID", "NAME", "ENTITLEMENTS", "DEMURRAGE", "CREATED"], rows));
}

function onOrOff(text: string): boolean {
  if (text === "on" || text === "off") return text === "on";
  throw new CommandError(`--demurrage-alerting must be on or off, not "${text}"`);
}
