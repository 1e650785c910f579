import { readFile } from "node:fs/promises";

import type { ProcessContext } from "../runtime/process-context.ts";
import { CommandError } from "./command.ts";
import type { ExitStatus } from "./context.ts";

/** Rejects with `CommandError` and `status` if the file cannot be read. */
export async function readNamedFile(path: string, status: ExitStatus = 1): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new CommandError(`${path} cannot be read: ${(cause as Error).message}`, status);
  }
}

/** `-` is stdin. Rejects as `readNamedFile`, with status 2. */
export async function readInput(file: string, at: Pick<ProcessContext, "readInput">): Promise<Buffer> {
  return file === "-" ? at.readInput() : readNamedFile(file, 2);
}

/** A secret from its option, or from the file that keeps it out of the list of processes. */
export async function secretOption(
  secret: string | undefined,
  file: string | undefined,
  at: Pick<ProcessContext, "readInput">,
): Promise<string | undefined> {
  if (secret !== undefined || file === undefined) return secret;
  return (await readInput(file, at)).toString("utf8").trim();
}
