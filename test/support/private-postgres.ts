import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

import {
  startEmbedded,
  type EmbeddedOptions,
  type EmbeddedPostgres,
} from "../../src/store/embedded/embedded.ts";
import { databaseFolder } from "./database-folder.ts";
import { silentLog } from "./log.ts";
import { realClock } from "./real-clock.ts";

/** A PostgreSQL of the caller's own in a temporary folder, with the settings that users get. */
export async function startPrivatePostgres(
  options: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedPostgres & { readonly dataFolder: string }> {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(databaseFolder(), "boathook-private-"));
  const postgres = await startEmbedded({ clock: realClock, log: silentLog, ...options, dataFolder });
  return {
    ...postgres,
    dataFolder,
    async stop() {
      const how = await postgres.stop();
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true });
      return how;
    },
  };
}
