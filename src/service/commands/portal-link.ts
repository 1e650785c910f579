import type { BodyOf, Operator } from "@boathook/client";

import { action, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION, wholeNumber } from "../../cli/options.ts";
import { printAnswer } from "../../cli/print.ts";
import { openMasterKeys } from "../store.ts";

/** The route says which products there are. */
type Sent = BodyOf<Operator, "POST /v1/accounts/{id}/portal-links">;

export const command: CommandFactory = (at) =>
  action(
    "portal-link",
    "Print a link that signs an account's client in to a product's portal. It lives some minutes; BOATHOOK_PUBLIC_URL says where.",
    "boathook portal-link 01a1fc98-3684-702d-8add-9c7eb13bfa2f --product tracking",
  )
    .argument("<account-id>")
    .requiredOption("--product <name>", "the product's tag, such as tracking")
    .option("--expires-in <seconds>", "10 to 3600", wholeNumber(10, 3_600), 300)
    .option(...JSON_OPTION)
    .action(async (id, { product, expiresIn, json }) => {
      const { ask, settings, database, cells, random } = await at.open();
      // Without the service's key nothing can be signed; it says so as at a start.
      await openMasterKeys(settings, database, cells, random);
      const body = { product, expires_in_seconds: expiresIn } as Sent;
      const link = await ask("POST /v1/accounts/{id}/portal-links", { id }, body);
      printAnswer(at, link, link.url, json);
      if (json === undefined)
        at.err(`Good until ${link.expires_at}. Revoke it: boathook portal-links revoke ${id} ${link.id}\n`);
    });
