import { resolve } from "node:path";

import type { Log } from "../runtime/log.ts";
import type { Random } from "../runtime/random.ts";
import { makeSecretFile, readSecretFile } from "../runtime/secret-file.ts";
import { StartupError } from "../runtime/startup-error.ts";

const FILE_NAME = "operator.token";
const TOKEN_BYTES = 32;

/** What can stand behind `Bearer`. */
const HEADER_SAFE = /^[\x21-\x7e]+$/;

export type OperatorTokenSource = {
  /** `BOATHOOK_OPERATOR_TOKEN`; null when it is not set. */
  readonly setting: string | null;
  readonly dataFolder: string;
};

/**
 * The operator's token (design 5). Without a setting it is kept in `<dataFolder>/operator.token`, mode
 * 0600, made at the first start. It is never printed: only where it lies.
 */
export function resolveOperatorToken(source: OperatorTokenSource, random: Random, log: Log): string {
  if (source.setting !== null) {
    if (HEADER_SAFE.test(source.setting)) return source.setting;
    throw new StartupError("BOATHOOK_OPERATOR_TOKEN goes into a header: it must be ASCII without spaces.");
  }
  const file = resolve(source.dataFolder, FILE_NAME);
  try {
    const token = readSecretFile(file) ?? makeTokenFile(file, random);
    if (token.trim() === "")
      throw new StartupError(`The operator's token in ${file} is empty: delete the file.`);
    log.info({ file }, "the operator's token is in this file");
    return token.trim();
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(
      `The operator's token in ${file} cannot be used: ${(cause as Error).message}. ` +
        "Mend that, or set BOATHOOK_OPERATOR_TOKEN.",
      { cause },
    );
  }
}

function makeTokenFile(file: string, random: Random): string {
  return makeSecretFile(file, `${random.bytes(TOKEN_BYTES).toString("base64url")}\n`, random);
}
