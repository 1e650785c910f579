/** Keeps what a check was answered in a file that only its owner reads. */
import { access, constants, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { CommandError } from "../../cli/command.ts";

/** Before anything is asked: an answer that cannot be kept costs as much of the quota. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw new CommandError(`--record: ${folder} cannot be written to: ${(cause as Error).message}.`);
  }
}

/** The file, in a folder that exists. */
export async function keepAnswers(folder: string, name: string, text: string): Promise<string> {
  const file = join(folder, `${name}.json`);
  // An older file may be open to other users, and a link leads elsewhere.
  await rm(file, { force: true });
  await writeFile(file, `${text}\n`, { mode: 0o600, flag: "wx" });
  return file;
}
