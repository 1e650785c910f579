import type { ProcessContext } from "../../runtime/process-context.ts";
import { action, CommandError, group } from "../../cli/command.ts";
import { asOperator, pathSegment } from "./operator.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { jsonText, table, timeText } from "../../cli/table.ts";

type Key = {
  readonly id: string;
  readonly prefix: string;
  readonly label: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
};

export const command = group("API keys: what an account's programs carry.", {
  create: action({
    about: "Makes a key and prints it. It is shown this once, and kept nowhere.",
    arguments: ["account-id"],
    options: {
      prefix: {
        type: "string",
        value: "name",
        about: "tracking (ocean, air and rates), schedules, rates or loading",
      },
      label: { type: "string", value: "text", about: "what you call the key" },
      json: JSON_OPTION,
    },
    examples: [
      "boathook keys create 01a1fc98-3684-702d-8add-9c7eb13bfa2f --prefix tracking --label production",
    ],
    async run({ options, positionals: [id = ""] }, at) {
      const { prefix, label } = options;
      if (prefix === undefined)
        throw new CommandError("--prefix is missing: tracking, schedules, rates or loading");
      const body = { prefix, ...(label === undefined ? {} : { label }) };
      const path = `/v1/accounts/${pathSegment(id)}/keys`;
      const made = await asOperator(at, (ask) => ask<Key & { readonly key: string }>("POST", path, body));
      at.out(options.json === true ? jsonText(made) : `${made.key}\n`);
      if (options.json !== true) at.err(`Key ${made.id}: keep it, it is not shown again.\n`);
      return 0;
    },
  }),
  list: action({
    about: "Lists an account's keys, newest first, revoked ones as well; never the keys themselves.",
    arguments: ["account-id"],
    options: { json: JSON_OPTION },
    examples: ["boathook keys list 01a1fc98-3684-702d-8add-9c7eb13bfa2f"],
    async run({ options, positionals: [id = ""] }, at) {
      const path = `/v1/accounts/${pathSegment(id)}/keys`;
      const { keys } = await asOperator(at, (ask) => ask<{ readonly keys: readonly Key[] }>("GET", path));
      show(keys, options.json, at);
      return 0;
    },
  }),
  revoke: action({
    about: "Revokes a key: no request with it is answered from here on.",
    arguments: ["key-id"],
    options: { json: JSON_OPTION },
    examples: ["boathook keys revoke 01a1fc9a-2b31-7f4e-9d52-0c1f1c3f4a7d"],
    async run({ options, positionals: [id = ""] }, at) {
      const key = await asOperator(at, (ask) => ask<Key>("DELETE", `/v1/keys/${pathSegment(id)}`));
      show(key, options.json, at);
      return 0;
    },
  }),
});

function show(shown: Key | readonly Key[], json: boolean | undefined, at: ProcessContext): void {
  if (json === true) return at.out(jsonText(shown));
  const rows = [shown]
    .flat()
    .map((key) => [
      key.id,
      `${key.prefix}_`,
      key.label || "-",
      timeText(new Date(key.created_at)),
      timeText(key.revoked_at === null ? null : new Date(key.revoked_at)),
    ]);
  at.out(table(["ID", "PREFIX", "LABEL", "CREATED", "REVOKED"], rows));
}
