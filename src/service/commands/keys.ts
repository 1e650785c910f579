import type { BodyOf, Operator } from "@boathook/client";

import { action, group, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printAnswer, printRow, printRows, type Column } from "../../cli/print.ts";

type Key = Operator["schemas"]["Key"];

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
      // The route says which prefixes there are.
      const body = { prefix, label } as BodyOf<Operator, "POST /v1/accounts/{id}/keys">;
      const made = await ask("POST /v1/accounts/{id}/keys", { id }, body);
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
      const { keys } = await ask("GET /v1/accounts/{id}/keys", { id });
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
      printRow(at, await ask("DELETE /v1/keys/{id}", { id }), COLUMNS, json);
    });

export const command = group("keys", "API keys let an account's programs call the API.", [
  create,
  list,
  revoke,
]);
