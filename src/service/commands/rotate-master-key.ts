import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printAnswer } from "../../cli/print.ts";
import type { OpenedStore } from "../../cli/context.ts";
import { nodesWithoutKey } from "../../engine/lost-secrets.ts";
import { resealSecrets } from "../../engine/reseal.ts";
import type { MasterKeys } from "../../engine/secret.ts";
import { nameOfNode } from "../../store/nodes/known-nodes.ts";
import { openMasterKeys } from "../store.ts";
import { readSettings } from "./settings.ts";

export const command: CommandFactory = (at) =>
  action(
    "rotate-master-key",
    "Reseal every endpoint's secret under BOATHOOK_MASTER_KEY, after opening it with " +
      "BOATHOOK_MASTER_KEY_PREVIOUS. Stop the service first, or restart every node with both keys: the command refuses " +
      "while a node lacks the new one. You may repeat it. Afterwards put the new key in the old one's place, in " +
      "data/master.key or wherever you set it, and drop the old one.",
    "openssl rand -base64 32 > new.key",
    'BOATHOOK_MASTER_KEY="$(cat new.key)" BOATHOOK_MASTER_KEY_PREVIOUS="$(cat data/master.key)" boathook rotate-master-key',
  )
    .option("--force", "reseal although a listed node lacks the key: it is dead")
    .option(...JSON_OPTION)
    .action(async ({ force, json }) => {
      readSettings(at, "service");
      const { settings, database, cells, random } = await at.open();
      const keys = await openMasterKeys(settings, database, cells, random);
      if (force !== true) await requireKeyEverywhere(database, cells, keys);
      const done = await resealSecrets(database, cells, keys, random);
      const text = `Resealed ${done.resealed} secrets; ${done.current} were under the current key already.`;
      printAnswer(at, done, text, json);
      if (done.unopened === 0) return;
      throw new CommandError(
        `${done.unopened} secrets could not be opened and do not change. The first: ${done.reason}.`,
        1,
      );
    });

/** Nodes without the key could sign no more, and none would start again. */
async function requireKeyEverywhere(
  database: OpenedStore["database"],
  cells: OpenedStore["cells"],
  keys: MasterKeys,
): Promise<void> {
  const lacking = await nodesWithoutKey(database, cells, keys);
  if (lacking.length === 0) return;
  throw new CommandError(
    `These nodes do not have the key in BOATHOOK_MASTER_KEY:\n${lacking.map((node) => `  ${nameOfNode(node)}\n`).join("")}` +
      "Nothing was resealed. Stop them, or restart each with the key (docs/operations.md#the-master-key). " +
      "--force goes on without nodes that are dead.",
    1,
  );
}
