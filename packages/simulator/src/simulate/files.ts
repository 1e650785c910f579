/** The files that a simulation writes for the service's settings. It does not overwrite a user's own. */
import { readFile, writeFile } from "node:fs/promises";

import type { Host } from "../host.ts";

/** What identifies an entry of any of these files. */
type Entry = { readonly scac?: string; readonly name?: string };

export type SimulatedFile = { readonly path: string; readonly entries: readonly Entry[] };

/**
 * Writes all or none. Fails if a file exists that no simulation wrote, unless `isForced`: an operator's own file has
 * credentials in it.
 */
export async function writeSimulatedFiles(
  files: readonly SimulatedFile[],
  isForced: boolean,
  { failure }: Pick<Host, "failure">,
): Promise<void> {
  for (const { path, entries } of isForced ? [] : files) {
    const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT") return "";
      throw failure(`${path} cannot be read: ${cause.message}`, 1);
    });
    if (text.trim() === "" || isSimulated(text, entries)) continue;
    throw failure(
      `${path} is there already and is no simulation's: name another file, or overwrite it with --force`,
      1,
    );
  }
  for (const { path, entries } of files) {
    await writeFile(path, `${JSON.stringify(entries, null, 2)}\n`, { mode: 0o600 }).catch((cause: Error) => {
      throw failure(`${path} cannot be written: ${cause.message}`, 1);
    });
  }
}

const NOT_LOOPBACK = /https?:\/\/(?!127\.0\.0\.1:)/;

/** Whether a file holds only simulated entries, on loopback. */
function isSimulated(text: string, entries: readonly Entry[]): boolean {
  const names = new Set(entries.map(nameOf));
  try {
    const found = JSON.parse(text) as readonly Entry[];
    return Array.isArray(found) && found.every((one) => names.has(nameOf(one))) && !NOT_LOOPBACK.test(text);
  } catch {
    return false;
  }
}

function nameOf(entry: Entry | null): string | undefined {
  return entry?.scac ?? entry?.name;
}
