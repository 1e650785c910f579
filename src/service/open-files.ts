/** Files with secrets that other users of this machine can read or change. */
import { statSync } from "node:fs";
import { resolve } from "node:path";

import type { ProductManifest } from "../products/manifest.ts";
import type { Log } from "../runtime/log.ts";
import type { Settings } from "../runtime/settings.ts";
import { MASTER_KEY_FILE } from "../store/master-key.ts";
import { OPERATOR_TOKEN_FILE } from "./operator-token.ts";

/** Others may read or write; the group may write. A group that reads may be meant: callers of the API. */
const LOOSE_MODE = 0o026;

/** A warning, not a refusal: a service that worked yesterday starts today. */
export function warnOfOpenFiles(settings: Settings, products: readonly ProductManifest[], log: Log): void {
  // One of several workers says it.
  if ((settings.place?.number ?? 1) > 1) return;
  const named = settings as unknown as Readonly<Record<string, string | null>>;
  const files = [
    ...[MASTER_KEY_FILE, OPERATOR_TOKEN_FILE].map((name) => resolve(settings.dataFolder, name)),
    ...products.flatMap((product) => Object.keys(product.files).map((key) => named[key] ?? null)),
  ];
  for (const file of files) {
    const mode = file === null ? 0 : (statSync(file, { throwIfNoEntry: false })?.mode ?? 0);
    if ((mode & LOOSE_MODE) === 0) continue;
    const octal = (mode & 0o777).toString(8);
    log.warn({ file, mode: octal }, "other users can read or change this file with secrets: chmod 600");
  }
}
