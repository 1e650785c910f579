import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
} from "node:crypto";

import type { Random } from "../runtime/random.ts";

/**
 * Signing secrets (spec 5.1, spec 2.1: secret). A secret is 70 bytes, longer than SHA-256's block, so
 * HMAC hashes it first (RFC 2104): HMAC(secret, body) = HMAC(SHA-256(secret), body). Only that hash is
 * stored, sealed under a master key that is not in the database. The hash has signing power: never
 * log, return or index it.
 */

const SECRET_PREFIX = "whsec_";
const SECRET_RANDOM_BYTES = 48;

const SEAL_VERSION = 1;
const FINGERPRINT_BYTES = 4;
const NONCE_BYTES = 12;
const HASH_BYTES = 32;
const TAG_BYTES = 16;
const SEALED_BYTES = 1 + FINGERPRINT_BYTES + NONCE_BYTES + HASH_BYTES + TAG_BYTES;

/** The master keys of one installation, 32 bytes each: the first seals, all of them open. */
export type MasterKeys = readonly [current: Buffer, ...previous: Buffer[]];

/** The owner is part of the seal, so a row copied to another endpoint does not open. */
export type SecretOwner = { readonly accountId: string; readonly endpointId: string };

/** A new secret in the form the client keeps: `whsec_` and 64 base64url characters. */
export function mintSecret(random: Random): string {
  return SECRET_PREFIX + random.bytes(SECRET_RANDOM_BYTES).toString("base64url");
}

/** The stored form of a secret: its SHA-256, sealed with AES-256-GCM. */
export function sealSecret(secret: string, owner: SecretOwner, keys: MasterKeys, random: Random): Buffer {
  return sealHash(createHash("sha256").update(secret).digest(), owner, keys, random);
}

/** Seals the same hash under the current master key. Throws like `signingKey`. */
export function resealSecret(sealed: Buffer, owner: SecretOwner, keys: MasterKeys, random: Random): Buffer {
  return sealHash(openHash(sealed, owner, keys), owner, keys, random);
}

/** True when the current master key made the seal. */
export function isSealedUnder(sealed: Buffer, keys: MasterKeys): boolean {
  return fingerprintOf(sealed).equals(fingerprint(keys[0]));
}

/** The fingerprints of master keys, one behind the other: what a node tells others of its keys. */
export function fingerprintsOf(keys: readonly Buffer[]): Buffer {
  return Buffer.concat(keys.map(fingerprint));
}

/** True when one of the fingerprints is that of a seal. */
export function isAmong(fingerprintOfSeal: Buffer, fingerprints: Buffer): boolean {
  for (let at = 0; at < fingerprints.length; at += FINGERPRINT_BYTES) {
    if (fingerprints.subarray(at, at + FINGERPRINT_BYTES).equals(fingerprintOfSeal)) return true;
  }
  return false;
}

/** The key that signs an endpoint's deliveries. Throws when no master key opens the seal. */
export function signingKey(sealed: Buffer, owner: SecretOwner, keys: MasterKeys): KeyObject {
  return createSecretKey(openHash(sealed, owner, keys));
}

/** The value of `X-<Product>-Signature` for a body (spec 5.1: method, header, signed_material). */
export function signatureOf(body: string | Buffer, key: KeyObject): string {
  return `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
}

function sealHash(hash: Buffer, owner: SecretOwner, keys: MasterKeys, random: Random): Buffer {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keys[0], nonce).setAAD(additionalData(owner));
  const sealed = Buffer.concat([cipher.update(hash), cipher.final()]);
  return Buffer.concat([Buffer.of(SEAL_VERSION), fingerprint(keys[0]), nonce, sealed, cipher.getAuthTag()]);
}

function openHash(sealed: Buffer, owner: SecretOwner, keys: MasterKeys): Buffer {
  if (sealed.length !== SEALED_BYTES || sealed[0] !== SEAL_VERSION) {
    throw new Error(`the sealed secret of endpoint ${owner.endpointId} is damaged`);
  }
  const sealedBy = fingerprintOf(sealed);
  const key = keys.find((candidate) => fingerprint(candidate).equals(sealedBy));
  if (key === undefined) {
    throw new Error(
      `the secret of endpoint ${owner.endpointId} was sealed under a master key that is not configured; ` +
        "set BOATHOOK_MASTER_KEY to the key in use when it was registered, or add that key to BOATHOOK_MASTER_KEY_PREVIOUS",
    );
  }
  const nonceAt = 1 + FINGERPRINT_BYTES;
  const hashAt = nonceAt + NONCE_BYTES;
  const tagAt = hashAt + HASH_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(nonceAt, hashAt))
    .setAAD(additionalData(owner))
    .setAuthTag(sealed.subarray(tagAt));
  return Buffer.concat([decipher.update(sealed.subarray(hashAt, tagAt)), decipher.final()]);
}

function additionalData({ accountId, endpointId }: SecretOwner): Buffer {
  return Buffer.from(`${accountId}/${endpointId}`);
}

/** Identifies the master key of a seal; four bytes of a hash reveal nothing about the key. */
function fingerprint(key: Buffer): Buffer {
  return createHash("sha256")
    .update("boathook master key")
    .update(key)
    .digest()
    .subarray(0, FINGERPRINT_BYTES);
}

/** That of the master key that made the seal. */
export function fingerprintOf(sealed: Buffer): Buffer {
  return sealed.subarray(1, 1 + FINGERPRINT_BYTES);
}
