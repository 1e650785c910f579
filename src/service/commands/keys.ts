import { action, group, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printAnswer, printRow, printRows, type Column } from "../../cli/print.ts";
import type { keyAnswer } from "../../operator/keys.ts";

type Key = ReturnType<typeof keyAnswer>;

const COLUMNS: readonly Column<Key>[] = [
  ["ID", ({ id }) => id],
  ["PREFIX", ({ prefix }) => `${prefix}_`],
  ["LABEL", ({ label }) => label],
  ["CREATED", ({ created_at }) => created_at],
  ["REVOKED", ({ revoked_at }) => revoked_at],
];

const create: CommandFactory = (at) =>
  action(
    "create",
    "Create a key and print it. Boathook does not keep the key and shows it only once.",
    "boathook keys create 01a1fc98-3684-702d-8add-9c7eb13bfa2f --prefix tracking --label production",
  )
    .argument("<account-id>")
    .requiredOption("--prefix <name>", "tracking (ocean, air and rates), schedules, rates or loading")
    .option("--label <text>", "what you call the key")
    .option(...JSON_OPTION)
    .action(async (id, { prefix, label, json }) => {
      const { ask } = await at.open();
      const made = await ask<Key & { readonly key: string }>("POST", keysOf(id), { prefix, label });
      printAnswer(at, made, made.key, json);
      if (json === undefined) at.err(`Key ${made.id}: keep it, it is not shown again.\n`);
    });

const list: CommandFactory = (at) =>
  action(
    "list",
    "List an account's keys, newest first, with the revoked ones. The keys themselves are not shown.",
    "boathook keys list 01a1fc98-3684-702d-8add-9c7eb13bfa2f",
  )
    .argument("<account-id>")
    .option(...JSON_OPTION)
    .action(async (id, { json }) => {
      const { ask } = await at.open();
      const { keys } = await ask<{ readonly keys: readonly Key[] }>("GET", keysOf(id));
      printRows(at, keys, COLUMNS, json);
    });

const revoke: CommandFactory = (at) =>
  action(
    "revoke",
    "Revoke a key. From now on Boathook refuses every request with it.",
    "boathook keys revoke 01a1fc9a-2b31-7f4e-9d52-0c1f1c3f4a7d",
  )
    .argument("<key-id>")
    .option(...JSON_OPTION)
    .action(async (id, { json }) => {
      const { ask } = await at.open();
      printRow(at, await ask<Key>("DELETE", `/v1/keys/${encodeURIComponent(id)}`), COLUMNS, json);
    });

function keysOf(typedId: string): string {
  return `/v1/accounts/${encodeURIComponent(typedId)}/keys`;
}

export const command = group("keys", "API keys let an account's programs call the API.", [
  create,
  list,
  revoke,
]);
