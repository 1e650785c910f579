import { readFile, stat } from "node:fs/promises";

import type { ProcessContext } from "../runtime/process-context.ts";
import { CommandError } from "./command.ts";
import type { ExitStatus } from "./context.ts";

/** Rejects with `CommandError` and `status`, usually 1, if the file cannot be read or is larger than `bytesMax`. */
export async function readNamedFile(
  path: string,
  {
    status = 1,
    bytesMax = Number.POSITIVE_INFINITY,
  }: { readonly status?: ExitStatus; readonly bytesMax?: number } = {},
): Promise<Buffer> {
  try {
    // Its size first: a file that is too large is not read at all.
    if ((await stat(path)).size <= bytesMax) return await readFile(path);
  } catch (cause) {
    throw new CommandError(`${path} cannot be read: ${(cause as Error).message}`, status);
  }
  throw new CommandError(`${path} has more than ${bytesMax} bytes; load it in parts`, status);
}

/** `-` is stdin. Rejects as `readNamedFile`, with status 2. */
export async function readInput(file: string, at: Pick<ProcessContext, "readInput">): Promise<Buffer> {
  return file === "-" ? at.readInput() : readNamedFile(file, { status: 2 });
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

/** The format that a file's name ends with. */
export function tableFormat(path: string): "csv" | "json" {
  const format = /\.(csv|json)$/i.exec(path)?.[1]?.toLowerCase();
  if (format === "csv" || format === "json") return format;
  throw new CommandError(`${path} must be a file named .csv or .json`);
}

/** One problem a line, the first `most` of them. `hint` follows the number of the others. */
export function problemLines(problems: readonly string[], most: number, hint = ""): string {
  const more = problems.length - most;
  const lines = [...problems.slice(0, most), ...(more > 0 ? [`and ${more} more${hint}`] : [])];
  return lines.map((line) => `  ${line}`).join("\n");
}
