/** `boathook plans`: the load plans of an account (docs/load-planning.md). */
import type { ListedPlan } from "../plan/plan-schema.ts";
import { cellOf } from "../../../freight/tracking/shipment-commands.ts";
import { listPlans } from "../plan/plans.ts";
import { action, group } from "../../../cli/command.ts";
import { JSON_OPTION } from "../../../cli/options.ts";
import type { CommandFactory } from "../../../cli/command.ts";
import { limitOption } from "../../../cli/options.ts";
import { printRows, type Column } from "../../../cli/print.ts";
import { OF_ACCOUNT } from "../../../freight/tracking/shipment-commands.ts";

const COLUMNS: readonly Column<ListedPlan>[] = [
  ["ID", ({ id }) => id],
  ["NAME", ({ name }) => name],
  [
    "CONTAINERS",
    ({ summary }) => summary.containers.map(({ type, count }) => `${count} x ${type}`).join(", "),
  ],
  ["PIECES", ({ summary }) => summary.pieces],
  ["LEFT", ({ summary }) => summary.pieces_left],
  ["REVISION", ({ revision }) => revision],
  ["UPDATED", ({ updated_at }) => updated_at],
];

const list: CommandFactory = (at) =>
  action(
    "list",
    "List an account's load plans, newest first.",
    "boathook plans list --account 01a1fc98-3684-702d-8add-9c7eb13bfa2f",
  )
    .requiredOption(...OF_ACCOUNT)
    .option(...limitOption())
    .option(...JSON_OPTION)
    .action(async ({ account, limit, json }) => {
      const opened = await at.open();
      const cell = await cellOf(opened, account);
      printRows(at, await listPlans(opened.database, cell, account, { afterId: null, limit }), COLUMNS, json);
    });

export const command = group("plans", "Plans are what load planning has worked out.", [list]);
