import type { Operator } from "@boathook/client";

import { action, group, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION, limitOption } from "../../cli/options.ts";
import { printRow, printRows, type Column } from "../../cli/print.ts";

type Link = Operator["schemas"]["PortalLink"];

const COLUMNS: readonly Column<Link>[] = [
  ["ID", ({ id }) => id],
  ["PRODUCT", ({ product }) => product],
  ["MINTED", ({ created_at }) => created_at],
  ["EXPIRES", ({ expires_at }) => expires_at],
  ["USED", ({ used_at }) => used_at],
  ["SESSIONS UNTIL", ({ sessions_until }) => sessions_until],
  ["REVOKED", ({ revoked_at }) => revoked_at],
];

const LIMIT_MAX = 100;

const list: CommandFactory = (at) =>
  action(
    "list",
    "List the links to the portal that an account's clients got, newest first, until a day after they expire.",
    "boathook portal-links list 01a1fc98-3684-702d-8add-9c7eb13bfa2f",
  )
    .argument("<account-id>")
    .option(...limitOption(LIMIT_MAX))
    .option(...JSON_OPTION)
    .action(async (id, { limit, json }) => {
      const { ask } = await at.open();
      const page = await ask("GET /v1/accounts/{id}/portal-links", { id, limit });
      printRows(at, page.portal_links, COLUMNS, json);
      if (page.next_cursor !== undefined) at.err(`There are more: --limit takes up to ${LIMIT_MAX}.\n`);
    });

const revoke: CommandFactory = (at) =>
  action(
    "revoke",
    "Revoke a link. It opens nothing from now on, and its sessions end within a second.",
    "boathook portal-links revoke 01a1fc98-3684-702d-8add-9c7eb13bfa2f 01a1fc9b-5e80-7c41-8d0b-5b2f0d9e6a37",
  )
    .argument("<account-id>")
    .argument("<link-id>")
    .option(...JSON_OPTION)
    .action(async (id, linkId, { json }) => {
      const { ask } = await at.open();
      const link = await ask("DELETE /v1/accounts/{id}/portal-links/{link_id}", { id, link_id: linkId });
      printRow(at, link, COLUMNS, json);
    });

export const command = group(
  "portal-links",
  "Links to the portal that are handed out. boathook portal-link prints a new one.",
  [list, revoke],
);
