/** Files that hold one secret, made by the process that needs it first: mode 0600, whole or absent. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

import type { Random } from "./random.ts";
import { makeFolder } from "./make-folder.ts";
import { syncFolder } from "./sync-folder.ts";

/** Null: there is no file. Throws the system's errors. */
export function readSecretFile(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw cause;
  }
}

const OTHERS_READ_OR_WRITE = 0o006;

/** Whether users that are neither its owner nor of its group may read or write a file. Throws the system's errors. */
export function isOpenToAll(file: string): boolean {
  return (statSync(file).mode & OTHERS_READ_OR_WRITE) !== 0;
}

/** If two processes make the file at once, both get the winner's text. Throws the system's errors. */
export function makeSecretFile(file: string, text: string, random: Pick<Random, "bytes">): string {
  const draft = `${file}.${random.bytes(8).toString("hex")}`;
  makeFolder(dirname(file));
  writeDurably(draft, text);
  try {
    linkSync(draft, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
  } finally {
    unlinkSync(draft);
  }
  syncFolder(dirname(file));
  return readFileSync(file, "utf8");
}

function writeDurably(file: string, text: string): void {
  const handle = openSync(file, "wx", 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
