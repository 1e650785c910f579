/** The files that settings name. */
import { readFile } from "node:fs/promises";

import type { Setting } from "./setting.ts";
import { StartupError } from "./startup-error.ts";

export type Invalid = { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Rejects with `StartupError`, naming the setting, if the file is unreadable or wrong. */
export async function readConfigFile<Right extends { readonly kind: string }>(
  setting: string,
  file: string,
  read: (text: string) => Promise<Right | Invalid> | Right | Invalid,
): Promise<Right> {
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new StartupError(`${setting} cannot be read: ${cause.message}.`, { cause, isOfSetting: true });
  });
  const found = await read(text);
  if (!isInvalid(found)) return found;
  throw new StartupError(`${setting} (${file}) is wrong:${problemsText(found.problems)}.`, {
    isOfSetting: true,
  });
}

/** What stands between a colon and a full stop: one in the same line, several in a line each, to be ticked off. */
export function problemsText(problems: readonly string[]): string {
  return problems.length === 1 ? ` ${problems[0]}` : `\n  ${problems.join(".\n  ")}`;
}

function isInvalid(found: { readonly kind: string }): found is Invalid {
  return found.kind === "invalid";
}

/** Null: `environment` does not set the setting. Rejects as `readConfigFile`. */
export async function readSettingFile<Right extends { readonly kind: string }>(
  { name }: Setting<string, null>,
  environment: Readonly<Record<string, string | undefined>>,
  read: (text: string) => Promise<Right | Invalid> | Right | Invalid,
): Promise<Right | null> {
  const file = environment[name]?.trim() ?? "";
  return file === "" ? null : readConfigFile(name, file, read);
}
