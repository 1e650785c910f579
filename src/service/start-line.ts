import { thisBuild } from "../runtime/build.ts";
import { hostName } from "../runtime/host.ts";
import type { Log } from "../runtime/log.ts";
import type { Settings } from "../runtime/settings.ts";

/** What starts, in one line. `files`: the settings that name some. */
export function logStart(settings: Settings, workers: number, log: Log): void {
  const { roles, databaseUrl, dataFolder, cells } = settings;
  const database = databaseUrl === null ? `embedded in ${dataFolder}` : withoutCredentials(databaseUrl);
  const files = Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => name.endsWith("File") && value !== null),
  );
  // A service that delivers to private addresses should say so.
  const opened =
    settings.allowPrivateTargets === false ? {} : { privateTargets: settings.allowPrivateTargets };
  log.info(
    { ...thisBuild(), host: hostName(), roles, workers, database, cells, ...opened, files },
    "boathook starts",
  );
}

export function withoutCredentials(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return host + pathname;
}
