/** Keeps what a check was answered in a file that only its owner reads, and reads it again. */
import { access, constants, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { CommandError } from "../../cli/command.ts";

/** Before anything is asked: an answer that cannot be kept costs as much of the quota. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    // Only the last folder: Node.js makes the ones above it without end where a file system refuses, as /proc does.
    await mkdir(folder).catch(unlessThere);
    // The dot: a file is no folder.
    await access(`${folder}/.`, constants.W_OK);
  } catch (cause) {
    throw new CommandError(`--record: ${folder} cannot be written to: ${(cause as Error).message}.`);
  }
}

function unlessThere(cause: NodeJS.ErrnoException): void {
  if (cause.code !== "EEXIST") throw cause;
}

/** The file, in a folder that exists. */
export async function keepAnswers(folder: string, name: string, text: string): Promise<string> {
  const file = join(folder, `${name}.json`);
  // An older file may be open to other users, and a link leads elsewhere.
  await rm(file, { force: true });
  await writeFile(file, `${text}\n`, { mode: 0o600, flag: "wx" });
  return file;
}

/** `read` returns a text where the file holds no recording: why. */
export async function readKept<Recording extends object>(
  file: string,
  read: (text: string) => Recording | string,
): Promise<Recording> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new CommandError(`${file} cannot be read: ${(cause as Error).message}.`, 1);
  });
  const recording = read(text);
  if (typeof recording === "string") throw new CommandError(`${file} cannot be replayed: ${recording}.`, 1);
  return recording;
}
