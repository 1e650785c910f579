/** `boathook plans`: the load plans of an account (docs/load-planning.md). */
import type { ListedPlan } from "../plan/plan-schema.ts";
import { listPlans } from "../plan/plans.ts";
import { action, group } from "../../../cli/command.ts";
import { JSON_OPTION, parseWholeNumber } from "../../../cli/options.ts";
import { jsonText, table, timeText } from "../../../cli/table.ts";
import { requireAccountId, cellOf } from "../../../freight/tracking/shipment-owner.ts";
import { withStore } from "../../../service/commands/with-store.ts";

const LIMIT_DEFAULT = "50";
const LIMIT_MAX = 1_000;

export const command = group("Plans: what load planning has worked out.", {
  list: action({
    about: "Lists an account's load plans, newest first.",
    arguments: [],
    options: {
      account: { type: "string", value: "id", about: "whose" },
      limit: { type: "string", value: "number", about: `how many at most (default ${LIMIT_DEFAULT})` },
      json: JSON_OPTION,
    },
    examples: ["boathook plans list --account 01a1fc98-3684-702d-8add-9c7eb13bfa2f"],
    async run({ options }, at) {
      const accountId = requireAccountId(options.account);
      const limit = parseWholeNumber("limit", options.limit ?? LIMIT_DEFAULT, 1, LIMIT_MAX);
      const plans = await withStore(at, async (opened) => {
        const cell = await cellOf(opened, accountId);
        return listPlans({ database: opened.store.database }, cell, accountId, { afterId: null, limit });
      });
      at.out(options.json === true ? jsonText(plans) : asTable(plans));
      return 0;
    },
  }),
});

function asTable(plans: readonly ListedPlan[]): string {
  const rows = plans.map(({ id, name, revision, updated_at, summary }) => [
    id,
    name ?? "-",
    summary.containers.map(({ type, count }) => `${count} x ${type}`).join(", ") || "-",
    summary.pieces,
    summary.pieces_left,
    revision,
    timeText(new Date(updated_at)),
  ]);
  return table(["ID", "NAME", "CONTAINERS", "PIECES", "LEFT", "REVISION", "UPDATED"], rows);
}
