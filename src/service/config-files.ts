/** The files that settings name, read before anything is started: all of them, or a line for each that is wrong. */
import { X509Certificate } from "node:crypto";

import type { FileReaders, FilesOf, ProductManifest } from "../products/manifest.ts";
import { readConfigFile, type Invalid } from "../runtime/config-file.ts";
import { SETTINGS, type Settings } from "../runtime/settings.ts";
import { StartupError } from "../runtime/startup-error.ts";

export type ConfigFiles = {
  /** Certificate authorities, PEM, that deliveries trust besides the usual ones; null: none are named. */
  readonly authorities: readonly string[] | null;
  /** What the files of each product hold, by its tag. */
  readonly ofProducts: ReadonlyMap<ProductManifest["tag"], FilesOf<FileReaders>>;
};

/** Rejects with `StartupError` when any is wrong. */
export async function readConfigFiles(
  settings: Settings,
  products: readonly ProductManifest[],
): Promise<ConfigFiles> {
  const refusals: string[] = [];
  async function whereNamed<Right extends { readonly kind: string }>(
    setting: string,
    file: string | null,
    read: (text: string) => Promise<Right | Invalid> | Right | Invalid,
  ): Promise<Right | null> {
    if (file === null) return null;
    return readConfigFile(setting, file, read).catch((cause: unknown) => {
      if (!(cause instanceof StartupError)) throw cause;
      refusals.push(cause.message);
      return null;
    });
  }
  const { extraCaFile } = settings;
  const extraCa = await whereNamed(SETTINGS.extraCaFile.name, extraCaFile, readCertificateAuthorities);
  const ofProducts = new Map<string, FilesOf<FileReaders>>();
  // The settings hold those of the products as well.
  const named = settings as Readonly<Record<string, unknown>>;
  for (const product of products) {
    const held: Record<string, { readonly kind: string } | null> = {};
    for (const [key, read] of Object.entries(product.files)) {
      held[key] = await whereNamed(product.settings[key]!.name, named[key] as string | null, read);
    }
    ofProducts.set(product.tag, held);
  }
  if (refusals.length > 0) throw new StartupError(refusals.join("\n"), { isOfSetting: true });
  return { authorities: extraCa?.authorities ?? null, ofProducts };
}

const CERTIFICATE_BEGIN = "-----BEGIN CERTIFICATE-----";
const CERTIFICATE_END = "-----END CERTIFICATE-----";

/** PEM, whatever lies between the certificates. */
function readCertificateAuthorities(text: string) {
  const authorities = text.split(CERTIFICATE_BEGIN).flatMap((part, at) => {
    const end = part.indexOf(CERTIFICATE_END);
    return at === 0 || end === -1 ? [] : [CERTIFICATE_BEGIN + part.slice(0, end) + CERTIFICATE_END];
  });
  if (authorities.length === 0) {
    return { kind: "invalid" as const, problems: ["it holds no certificate in PEM"] };
  }
  // TLS would skip an unreadable one silently.
  const problems = authorities.flatMap((authority, index) => {
    try {
      void new X509Certificate(authority);
      return [];
    } catch (cause) {
      return [`its certificate ${index + 1} cannot be read: ${(cause as Error).message}`];
    }
  });
  if (problems.length > 0) return { kind: "invalid" as const, problems };
  return { kind: "authorities" as const, authorities };
}
