import { join } from "node:path";

import type { Random } from "../runtime/random.ts";
import { makeSecretFile, readSecretFile } from "../runtime/secret-file.ts";
import { StartupError } from "../runtime/startup-error.ts";

/** The bytes of the key that seals the endpoints' secrets (AES-256). */
export const MASTER_KEY_BYTES = 32;

export const MASTER_KEY_FILE = "master.key";

/** Where a master key comes from: the setting's text, or a file in the data folder. */
export type MasterKeySource = {
  /** `BOATHOOK_MASTER_KEY`: 32 bytes in base64 or base64url; null when it is not set. */
  readonly setting: string | null;
  /** The data folder of the embedded store, null with a database URL. */
  readonly dataFolder: string | null;
};

/**
 * The master key. Without a setting the embedded store keeps one in `<dataFolder>/master.key`,
 * mode 0600, made at the first start. Throws `StartupError` when there is none, or it is no key.
 */
export function masterKey(source: MasterKeySource, random: Pick<Random, "bytes">): Buffer {
  if (source.setting !== null) return parseMasterKey(source.setting, "BOATHOOK_MASTER_KEY");
  if (source.dataFolder === null) {
    throw new StartupError(
      "BOATHOOK_MASTER_KEY must be set along with BOATHOOK_DATABASE_URL: 32 random bytes in base64, " +
        'such as "openssl rand -base64 32" prints. Keep it apart from the database, and keep it: without ' +
        "it the secrets of all endpoints are lost.",
    );
  }
  const file = join(source.dataFolder, MASTER_KEY_FILE);
  const fresh = () => `${random.bytes(MASTER_KEY_BYTES).toString("base64")}\n`;
  try {
    return parseMasterKey(readSecretFile(file) ?? makeSecretFile(file, fresh(), random), file);
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    const message = `The master key in ${file} can be neither read nor made: ${(cause as Error).message}.`;
    throw new StartupError(message, { cause });
  }
}

/** The key that a text holds; `where` names the text's place in the refusal. */
export function parseMasterKey(text: string, where: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, "base64");
  // Buffer.from skips what is no base64: only a text that comes out whole is a key.
  const isWhole = /^[A-Za-z0-9+/_-]+=?$/.test(trimmed);
  if (isWhole && key.length === MASTER_KEY_BYTES) return key;
  throw new StartupError(
    `${where} is no master key: it must be ${MASTER_KEY_BYTES} bytes in base64 (44 characters).`,
  );
}
