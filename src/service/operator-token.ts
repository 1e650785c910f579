import { resolve } from "node:path";

import type { Log } from "../runtime/log.ts";
import type { Random } from "../runtime/random.ts";
import type { Settings } from "../runtime/settings.ts";
import { makeSecretFile, readSecretFile } from "../runtime/secret-file.ts";
import { StartupError } from "../runtime/startup-error.ts";

export const OPERATOR_TOKEN_FILE = "operator.token";
const TOKEN_BYTES = 32;

/** What can stand behind `Bearer`. */
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/**
 * The operator's token. Without a setting, the first start makes one in `<dataFolder>/operator.token`, mode
 * 0600. The log says where the file is, and never what it holds.
 */
export function resolveOperatorToken(
  { operatorToken, dataFolder }: Pick<Settings, "operatorToken" | "dataFolder">,
  random: Random,
  log: Log,
): string {
  if (operatorToken !== null) {
    if (HEADER_SAFE.test(operatorToken)) return operatorToken;
    throw new StartupError("BOATHOOK_OPERATOR_TOKEN goes into a header: it must be ASCII without spaces.", {
      isOfSetting: true,
    });
  }
  const file = resolve(dataFolder, OPERATOR_TOKEN_FILE);
  try {
    const made = () => makeSecretFile(file, `${random.bytes(TOKEN_BYTES).toString("base64url")}\n`, random);
    const token = readSecretFile(file) ?? made();
    if (token.trim() === "")
      throw new StartupError(`The operator's token in ${file} is empty: delete the file.`);
    log.info({ file }, "the operator's token is in this file");
    return token.trim();
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(
      `The operator's token in ${file} cannot be used: ${(cause as Error).message}. ` +
        "Fix that, or set BOATHOOK_OPERATOR_TOKEN.",
      { cause },
    );
  }
}
