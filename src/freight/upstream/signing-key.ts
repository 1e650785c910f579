/** The key and certificate that sign a client's assertions, from the files that an upstream's credentials name. */
import { createHash, createPrivateKey, KeyObject, X509Certificate } from "node:crypto";

import { isOpenToAll, readSecretFile } from "../../runtime/secret-file.ts";
import type { AssertionSettings } from "./upstream-schema.ts";

export type SigningKey = {
  readonly kind: "key";
  readonly key: KeyObject;
  readonly algorithm: NonNullable<AssertionSettings["algorithm"]>;
  /** The thumbprint of the certificate, by its header's name; null without one. */
  readonly thumbprint: { readonly [name: string]: string } | null;
  /** Of the certificate, milliseconds since the epoch; without one, always valid. */
  readonly validFromMs: number;
  readonly validToMs: number;
};

/** `problem` follows the name of the field; neither names what is in a file. */
export type UnusableKey = {
  readonly kind: "unusable";
  readonly field: "keyFile" | "certificateFile" | "algorithm";
  readonly problem: string;
};

/** Read for each token, so that a renewed key needs no restart. */
export function readSigningKey(settings: AssertionSettings): SigningKey | UnusableKey {
  const { keyFile, certificateFile } = settings;
  const pem = readPem("keyFile", keyFile);
  if (typeof pem !== "string") return pem;
  const key = keyOf(pem);
  if (!(key instanceof KeyObject)) return key;
  const algorithm = settings.algorithm ?? (key.asymmetricKeyType === "ec" ? "ES256" : "RS256");
  const misfit = misfitOf(key, algorithm);
  if (misfit !== null) return unusable("algorithm", misfit);
  const signing = { kind: "key", key, algorithm } as const;
  if (certificateFile === undefined) {
    return { ...signing, thumbprint: null, validFromMs: Number.NEGATIVE_INFINITY, validToMs: Infinity };
  }
  const certified = readPem("certificateFile", certificateFile);
  if (typeof certified !== "string") return certified;
  const certificate = certificateOf(certified);
  if (certificate === null) return unusable("certificateFile", "holds no PEM certificate");
  if (!certificate.checkPrivateKey(key)) return unusable("certificateFile", "is not of the key in keyFile");
  return {
    ...signing,
    thumbprint: thumbprintOf(certificate, settings.thumbprint ?? "x5t#S256"),
    validFromMs: certificate.validFromDate.getTime(),
    validToMs: certificate.validToDate.getTime(),
  };
}

/** Null: the key may sign at `nowMs`. */
export function expiryOf(
  { validFromMs, validToMs }: SigningKey,
  nowMs: number,
): "expired" | "not_yet_valid" | null {
  if (nowMs >= validToMs) return "expired";
  return nowMs < validFromMs ? "not_yet_valid" : null;
}

function unusable(field: UnusableKey["field"], problem: string): UnusableKey {
  return { kind: "unusable", field, problem };
}

function readPem(field: "keyFile" | "certificateFile", file: string): string | UnusableKey {
  try {
    const text = readSecretFile(file);
    if (text === null) return unusable(field, "names no file");
    // A certificate is no secret.
    const isOpen = field === "keyFile" && isOpenToAll(file);
    return isOpen ? unusable(field, "is open to every user of the machine: chmod 600") : text;
  } catch (cause) {
    return unusable(field, `cannot be read: ${(cause as NodeJS.ErrnoException).code ?? "unknown error"}`);
  }
}

function keyOf(pem: string): KeyObject | UnusableKey {
  if (/^-+BEGIN ENCRYPTED|^Proc-Type:.*ENCRYPTED/m.test(pem))
    return unusable("keyFile", "holds an encrypted key: decrypt it");
  try {
    return createPrivateKey(pem);
  } catch {
    return unusable("keyFile", "holds no PEM private key");
  }
}

function certificateOf(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

const RSA_BITS_MIN = 2_048;

/** Null: the key can sign with the algorithm. */
function misfitOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, algorithm: string): string | null {
  const { modulusLength = 0, namedCurve } = asymmetricKeyDetails ?? {};
  if (algorithm === "ES256")
    return namedCurve === "prime256v1" ? null : "ES256 needs a key on the curve P-256";
  if (asymmetricKeyType !== "rsa") return `${algorithm} needs an RSA key`;
  return modulusLength >= RSA_BITS_MIN
    ? null
    : `${algorithm} needs an RSA key of ${RSA_BITS_MIN} bits or more`;
}

function thumbprintOf(
  { raw }: X509Certificate,
  name: "x5t" | "x5t#S256",
): { readonly [name: string]: string } {
  const digest = createHash(name === "x5t" ? "sha1" : "sha256")
    .update(raw)
    .digest("base64url");
  return { [name]: digest };
}
