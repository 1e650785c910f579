/** What a client gives to sign in, by the name of the need; a need that ends with `File` names a file of this process. */
import "reflect-metadata";

import { webcrypto } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { PemConverter, X509CertificateGenerator } from "@peculiar/x509";

import { DAY_MS } from "../../src/runtime/durations.ts";

const folder = mkdtempSync(join(tmpdir(), "boathook-given-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** PEM, by need: a certificate of RSA, as Microsoft's directory wants it, with its key; another; one that has expired. */
const FILES = {
  ...(await certified("", Date.now())),
  ...(await certified("other-", Date.now())),
  ...(await certified("expired-", Date.now() - 10 * DAY_MS)),
};

async function certified(prefix: string, fromMs: number) {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2_048,
  };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=A client",
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(fromMs - DAY_MS),
    notAfter: new Date(fromMs + DAY_MS),
  });
  const key = PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
  return { [`${prefix}keyFile`]: key, [`${prefix}certificateFile`]: certificate.toString("pem") };
}

for (const [name, pem] of Object.entries(FILES)) writeFileSync(join(folder, name), pem, { mode: 0o600 });

/** The certificate that the carrier knows the client by. */
export const CERTIFICATE = FILES["certificateFile"]!;

/** The secret, or the path of its file. */
export const secretOf = (need: string): string =>
  need.endsWith("File") ? join(folder, need) : `${need}-of-a-client`;

/** A file of another key, or of a certificate that has expired. */
export const fileOf = (kind: "other" | "expired", need: string): string => join(folder, `${kind}-${need}`);
