/** The files that settings name: whom Boathook asks, and with what credentials. */
import { readFile } from "node:fs/promises";

import type { Setting } from "./setting.ts";
import { StartupError } from "./startup-error.ts";

export type Invalid = { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Rejects with `StartupError`, naming the setting, when the file cannot be read or `read` finds it wrong. */
export async function readConfigFile<Right extends { readonly kind: string }>(
  setting: string,
  file: string,
  read: (text: string) => Promise<Right | Invalid> | Right | Invalid,
): Promise<Right> {
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new StartupError(`${setting} cannot be read: ${cause.message}.`, { cause });
  });
  const found = await read(text);
  if (!isInvalid(found)) return found;
  throw new StartupError(`${setting} (${file}) is wrong: ${found.problems.join("; ")}.`);
}

function isInvalid(found: { readonly kind: string }): found is Invalid {
  return found.kind === "invalid";
}

/** What the file holds that `setting` names in `environment`; null: none is named. Rejects as `readConfigFile`. */
export async function readSettingFile<Right extends { readonly kind: string }>(
  { name }: Setting<string, null>,
  environment: Readonly<Record<string, string | undefined>>,
  read: (text: string) => Promise<Right | Invalid> | Right | Invalid,
): Promise<Right | null> {
  const file = environment[name]?.trim() ?? "";
  return file === "" ? null : readConfigFile(name, file, read);
}
