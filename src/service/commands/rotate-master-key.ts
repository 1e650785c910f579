import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printAnswer } from "../../cli/print.ts";
import { resealSecrets } from "../../engine/reseal.ts";
import { findMovingAccount } from "../../store/account-moves/move-account.ts";
import { masterKeysOf } from "../store.ts";

export const command: CommandFactory = (at) =>
  action(
    "rotate-master-key",
    "Reseal every endpoint's secret under BOATHOOK_MASTER_KEY, after opening it with " +
      "BOATHOOK_MASTER_KEY_PREVIOUS. You may run it while the service runs, provided that the service has both keys, " +
      "and you may repeat it. Afterwards put the new key in the old one's place, in data/master.key or wherever you " +
      "set it, and drop the old one.",
    "openssl rand -base64 32 > new.key",
    'BOATHOOK_MASTER_KEY="$(cat new.key)" BOATHOOK_MASTER_KEY_PREVIOUS="$(cat data/master.key)" boathook rotate-master-key',
  )
    .option(...JSON_OPTION)
    .action(async ({ json }) => {
      const { settings, database, cells, random } = await at.open();
      const accountId = await findMovingAccount(database, cells[0]);
      if (accountId !== null) {
        // Its secrets may be copied as they were, behind the rotation.
        throw new CommandError(`Account ${accountId} is moving to another cell: finish that first.`, 1);
      }
      const done = await resealSecrets(database, cells, masterKeysOf(settings, random), random);
      const text = `Resealed ${done.resealed} secrets; ${done.current} were under the current key already.`;
      printAnswer(at, done, text, json);
      if (done.unopened === 0) return;
      throw new CommandError(
        `${done.unopened} secrets could not be opened and do not change. The first: ${done.reason}.`,
        1,
      );
    });
