/** Makes certificates for the demo and the tests: an authority, and what it signs. ECDSA on P-256. */
import "reflect-metadata"; // @peculiar/x509 needs it, and needs it first

import { webcrypto } from "node:crypto";
import { isIP } from "node:net";

import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { DAY_MS } from "./durations.ts";

/** PEM. */
export type KeyedCertificate = { readonly cert: string; readonly key: string };

export type CertificateOptions = {
  /** Host names and IP addresses; the first is the subject as well. */
  readonly hosts: readonly string[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
};

export type Authority = {
  /** PEM, for `BOATHOOK_EXTRA_CA_FILE`. */
  readonly cert: string;
  issue(options: CertificateOptions): Promise<KeyedCertificate>;
};

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** From a day before `nowMs`, for a month. */
export function validAround(nowMs: number): Pick<CertificateOptions, "notBeforeMs" | "notAfterMs"> {
  return { notBeforeMs: nowMs - DAY_MS, notAfterMs: nowMs + 30 * DAY_MS };
}

export async function createAuthority(nowMs: number, name = "Boathook Test Authority"): Promise<Authority> {
  const keys = await generateKeys();
  const issuer = `CN=${name}`;
  const own = await X509CertificateGenerator.createSelfSigned({
    name: issuer,
    keys,
    notBefore: new Date(nowMs - 2 * DAY_MS),
    notAfter: new Date(nowMs + 365 * DAY_MS),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return {
    cert: own.toString("pem"),
    async issue(options) {
      const leafKeys = await generateKeys();
      const leaf = await X509CertificateGenerator.create({
        ...leafFields(options),
        issuer,
        publicKey: leafKeys.publicKey,
        signingKey: keys.privateKey,
      });
      return { cert: leaf.toString("pem"), key: await pemOf(leafKeys.privateKey) };
    },
  };
}

export async function createSelfSigned(options: CertificateOptions): Promise<KeyedCertificate> {
  const keys = await generateKeys();
  const { subject, ...fields } = leafFields(options);
  const certificate = await X509CertificateGenerator.createSelfSigned({ ...fields, name: subject, keys });
  return { cert: certificate.toString("pem"), key: await pemOf(keys.privateKey) };
}

function leafFields({ hosts, notBeforeMs, notAfterMs }: CertificateOptions) {
  return {
    subject: `CN=${hosts[0]}`,
    notBefore: new Date(notBeforeMs),
    notAfter: new Date(notAfterMs),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIP(host) === 0 ? "dns" : "ip", value: host }) as const),
      ),
    ],
  };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY");
}
