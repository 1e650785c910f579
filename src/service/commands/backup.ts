import { resolve } from "node:path";

import packageJson from "../../../package.json" with { type: "json" };
import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printAnswer } from "../../cli/print.ts";
import { thisHost } from "../../runtime/host.ts";
import { jsonLog } from "../../runtime/log.ts";
import type { Settings } from "../../runtime/settings.ts";
import { takeBackup } from "../../store/backup/take-backup.ts";
import { platformOf } from "../../store/embedded/binaries.ts";
import { MASTER_KEY_FILE } from "../../store/master-key.ts";
import { OPERATOR_TOKEN_FILE } from "../operator-token.ts";
import { interruptionOf } from "./cell-moves.ts";
import { openEmbedded } from "./open-store.ts";
import { readSettings } from "./settings.ts";

const MEBIBYTE = 1 << 20;

export const command: CommandFactory = (at) =>
  action(
    "backup",
    "Write the embedded database, the master key and the operator's token to one file, while the service runs or not. " +
      "It is complete as of its end. Keep it as you keep the master key: who has both can sign. boathook restore reads it. " +
      "Files that settings name are not in it. With BOATHOOK_DATABASE_URL, back up that server by its own tools.",
    'boathook backup "/backups/boathook-$(date +%F).tar"',
    "boathook backup /backups/boathook.tar --overwrite --without-keys",
  )
    .argument("<file>", "a new file, on a disk with room for the data folder")
    .option("--without-keys", "leave out the master key and the operator's token, which you keep elsewhere")
    .option("--overwrite", "replace the file, once the new one is whole")
    .option(...JSON_OPTION)
    .action(async (file, { withoutKeys = false, overwrite = false, json }) => {
      const settings = readSettings(at);
      requireEmbedded(settings);
      const dataFolder = resolve(settings.dataFolder);
      const { address, major, clock, close } = await openEmbedded(at, dataFolder, jsonLog("warn"));
      try {
        const { bytes, manifest } = await takeBackup(address, {
          ...{ file: resolve(file), overwrite, dataFolder },
          secretFiles: withoutKeys ? [] : secretFilesOf(settings),
          made: { boathook: packageJson.version, postgresql: major, platform: platformOf(thisHost()) },
          ...{ atMs: clock.nowMs(), pid: process.pid, signal: interruptionOf(at) },
        });
        const held = ["the database", ...manifest.secrets].join(", ");
        const text = `Wrote ${file}: ${Math.ceil(bytes / MEBIBYTE)} MiB with ${held}.`;
        printAnswer(at, { file: resolve(file), bytes, ...manifest }, text, json);
        at.err(`${adviceOn(manifest.secrets)}\n`);
      } finally {
        await close();
      }
    });

/** Throws `CommandError` with an external database. */
export function requireEmbedded({ databaseUrl }: Pick<Settings, "databaseUrl">): void {
  if (databaseUrl === null) return;
  throw new CommandError(
    "This command is for the embedded PostgreSQL. For the server of BOATHOOK_DATABASE_URL use its own tools: pg_dump, " +
      "pg_basebackup or archived WAL. Keep BOATHOOK_MASTER_KEY apart.",
    1,
  );
}

/** What a setting replaces is not used: it may be out of date. */
function secretFilesOf({ masterKey, operatorToken }: Settings): readonly string[] {
  return [
    ...(masterKey === null ? [MASTER_KEY_FILE] : []),
    ...(operatorToken === null ? [OPERATOR_TOKEN_FILE] : []),
  ];
}

function adviceOn(secrets: readonly string[]): string {
  return secrets.includes(MASTER_KEY_FILE)
    ? "It holds the master key: encrypt it before it leaves this machine."
    : "It does not hold the master key, without which nothing can be signed: keep a copy of that.";
}
