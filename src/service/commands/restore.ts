import { resolve } from "node:path";

import packageJson from "../../../package.json" with { type: "json" };
import { action, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printAnswer } from "../../cli/print.ts";
import { products } from "../../products/index.ts";
import { thisHost } from "../../runtime/host.ts";
import { restoreBackup } from "../../store/backup/restore-backup.ts";
import { locateBinaries, platformOf } from "../../store/embedded/binaries.ts";
import { MASTER_KEY_FILE } from "../../store/master-key.ts";
import { OPERATOR_TOKEN_FILE } from "../operator-token.ts";
import { requireEmbedded } from "./backup.ts";
import { readSettings } from "./settings.ts";

export const command: CommandFactory = (at) =>
  action(
    "restore",
    "Make a data folder of a file that boathook backup wrote. It verifies the whole file before it writes. Never start " +
      "the service that the backup is of again: both would deliver. Restore files that you trust only.",
    "BOATHOOK_DATA_DIR=/var/lib/boathook boathook restore /backups/boathook-2026-12-01.tar",
    "boathook restore /backups/boathook-2026-12-01.tar --check",
  )
    .argument("<file>", "a backup")
    .option("--check", "verify the file, and write nothing")
    .option(...JSON_OPTION)
    .action(async (file, { check = false, json }) => {
      const settings = readSettings(at);
      requireEmbedded(settings);
      const dataFolder = resolve(settings.dataFolder);
      const host = thisHost();
      const { major: postgresql } = locateBinaries(host);
      const manifest = restoreBackup({
        ...{ file: resolve(file), dataFolder: check ? null : dataFolder, host },
        secretFiles: [MASTER_KEY_FILE, OPERATOR_TOKEN_FILE],
        here: { boathook: packageJson.version, postgresql, platform: platformOf(host), products },
      });
      const made = `by Boathook ${manifest.boathook} at ${manifest.taken_at}`;
      const text = check ? `The backup is whole, made ${made}.` : `Restored ${dataFolder}, as saved ${made}.`;
      printAnswer(at, { ...manifest, restored: check ? null : dataFolder }, text, json);
      if (check || manifest.secrets.includes(MASTER_KEY_FILE) || settings.masterKey !== null) return;
      at.err(`Before you start it, put the master key into ${resolve(dataFolder, MASTER_KEY_FILE)}.\n`);
    });
