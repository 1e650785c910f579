/** The file of shell variables that the examples of the guides read: `. ./boathook-try.env`. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { parse } from "node:path";

import type { Host } from "../host.ts";

const MARK = "# `boathook try` writes this file, and removes it when it ends.";

/** Prints a field of the JSON that comes in, by the Node that every reader has. */
const FIELD = String.raw`field() { node -pe "JSON.parse(require('fs').readFileSync(0)).$1"; }`;

/** Fails if the file is somebody else's. */
export async function requireOwnFile(path: string, { failure }: Pick<Host, "failure">): Promise<void> {
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return MARK;
    throw failure(`${path} cannot be read: ${cause.message}`, 1);
  });
  if (!text.startsWith(MARK))
    throw failure(`${path} is there already: name another file with --variables`, 1);
}

const OF_PROCESS = /^# Process (\d+)$/m;

/** `path`, or behind those of others that run in this folder, `boathook-try-2.env`. */
async function freePath(path: string): Promise<string> {
  const { dir, name, ext } = parse(path);
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? path : `${dir === "" ? "" : `${dir}/`}${name}-${number}${ext}`;
    const text = await readFile(tried, "utf8").catch(() => null);
    if (text === null) return tried;
    const [, pid] = OF_PROCESS.exec(text) ?? [];
    // One that was killed has left it.
    if (text.startsWith(MARK) && (pid === undefined || !isAlive(Number(pid)))) return tried;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * `exported` reach the commands that you start as well. Returns the file, which is removed again when `opened` closes.
 */
export async function writeVariables(
  wanted: string,
  variables: Readonly<Record<string, string>>,
  exported: Readonly<Record<string, string>>,
  opened: AsyncDisposableStack,
  { failure }: Pick<Host, "failure">,
): Promise<string> {
  const path = await freePath(wanted);
  const lines = [
    ...Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`),
    ...Object.entries(exported).map(([name, value]) => `export ${name}=${quoted(value)}`),
    FIELD,
  ];
  const text = [MARK, `# Process ${process.pid}`, ...lines, ""].join("\n");
  await writeFile(path, text, { mode: 0o600 }).catch((cause: Error) => {
    throw failure(`${path} cannot be written: ${cause.message}`, 1);
  });
  opened.defer(async () => {
    const found = await readFile(path, "utf8").catch(() => "");
    if (found === text) await rm(path, { force: true });
  });
  return path;
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
