/** `--env-file <file>`: settings from a file, as systemd's EnvironmentFile and Node's own option read it. */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

import { CommandError } from "../../cli/command.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";

const NAME = "--env-file";
const EXAMPLE = "/etc/boathook/boathook.env";

/** The command line without the option, and the process with the file's settings; those of the environment win. */
export function withEnvFile(
  words: readonly string[],
  at: ProcessContext,
): { readonly words: readonly string[]; readonly at: ProcessContext } {
  const index = words.findIndex((word) => word === NAME || word.startsWith(`${NAME}=`));
  if (index === -1) return { words, at };
  const isOneWord = words[index] !== NAME;
  const file = isOneWord ? words[index]!.slice(NAME.length + 1) : (words[index + 1] ?? "");
  if (file === "") throw new CommandError(`${NAME} needs a file, such as ${EXAMPLE}.`);
  const environment = { ...read(file), ...at.environment };
  const rest = words.toSpliced(index, isOneWord ? 1 : 2);
  // Workers start with the same words.
  return { words: rest, at: { ...at, environment, program: [...at.program, NAME, file] } };
}

function read(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const is =
      code === "ENOENT"
        ? `is not there: name the file with your settings, such as ${EXAMPLE}.`
        : `cannot be read: ${message}`;
    throw new CommandError(`${NAME} ${file} ${is}`);
  }
}
