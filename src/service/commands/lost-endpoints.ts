/** `endpoints lost`: the way on when a master key is gone for good. */
import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import type { OpenedStore } from "../../cli/context.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printRows } from "../../cli/print.ts";
import { findLostSecrets, type LostSecret } from "../../engine/lost-secrets.ts";
import { deleteEndpoint } from "../../store/endpoints/endpoints.ts";
import { endpointFind } from "../../store/endpoints/endpoints.sql.ts";
import { knownMasterKeys } from "../store.ts";

export const lost: CommandFactory = (at) =>
  action(
    "lost",
    "List the endpoints whose secret no master key of this command's settings opens: nothing can be signed for them, and " +
      "serve does not start. Put the key back if you can. Otherwise --remove removes them with their history; their " +
      "clients register again and get new secrets.",
    "boathook endpoints lost",
    "boathook endpoints lost --remove",
  )
    .option("--remove", "remove them; this cannot be undone")
    .option(...JSON_OPTION)
    .action(async ({ remove, json }) => {
      const opened = await at.open();
      const { settings, database, cells, random } = opened;
      const found = await findLostSecrets(database, cells, knownMasterKeys(settings, random));
      if (remove === true) requireUnknown(found);
      const rows = await Promise.all(found.map((one) => shownOf(opened, one)));
      if (remove === true) for (const one of found) await removeEndpoint(opened, one);
      printRows(
        at,
        rows.flatMap((row) => row ?? []),
        [
          ["ID", ({ id }) => id],
          ["ACCOUNT", ({ account_id: account }) => account],
          ["PRODUCT", ({ product }) => product],
          ["URL", ({ url }) => url],
        ],
        json,
      );
      if (remove !== true && found.length > 0)
        at.err("`boathook endpoints lost --remove` removes them. Their clients must then register again.\n");
    });

/** A mistyped key must not cost the endpoints of a service that has the right one. */
function requireUnknown(found: readonly LostSecret[]): void {
  const known = found.filter(({ isKnownToNode }) => isKnownToNode).length;
  if (known === 0) return;
  throw new CommandError(
    `Nothing was removed: a node has the key of ${known} of them. Use that node's BOATHOOK_MASTER_KEY.`,
    1,
  );
}

async function shownOf({ database }: OpenedStore, { cell, endpointId }: LostSecret) {
  const endpoint = await endpointFind(database, cell, endpointId);
  if (endpoint === null) return null;
  const { id, accountId, product, url } = endpoint;
  return { id, account_id: accountId, product, url };
}

async function removeEndpoint(
  { database, clock }: OpenedStore,
  { cell, endpointId }: LostSecret,
): Promise<void> {
  const endpoint = await endpointFind(database, cell, endpointId);
  if (endpoint === null) return;
  await deleteEndpoint(database, cell, endpoint, endpointId, new Date(clock.nowMs()));
}
