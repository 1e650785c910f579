import { createSecureContext, type SecureContext } from "node:tls";

import {
  createAuthority,
  createSelfSigned,
  validAround,
  type Authority,
  type KeyedCertificate,
} from "../../src/runtime/certificates.ts";

const NAMES = ["receiver.test", "*.receiver.test", "localhost", "127.0.0.1", "::1"];
const DAY_MS = 86_400_000;

/** An authority and one certificate of each kind a receiver may present. */
export type TestCertificates = {
  readonly authority: Authority;
  /** Trusts the authority and nobody else. */
  readonly secureContext: SecureContext;
  readonly valid: KeyedCertificate;
  readonly expired: KeyedCertificate;
  readonly notYetValid: KeyedCertificate;
  readonly wrongHost: KeyedCertificate;
  readonly selfSigned: KeyedCertificate;
  /** Of an authority that nobody trusts. */
  readonly untrusted: KeyedCertificate;
};

export async function makeCertificates(): Promise<TestCertificates> {
  const nowMs = Date.now();
  const valid = validAround(nowMs);
  const [authority, stranger] = await Promise.all([createAuthority(nowMs), createAuthority(nowMs, "Nobody")]);
  return {
    authority,
    secureContext: createSecureContext({ ca: authority.cert, minVersion: "TLSv1.2" }),
    valid: await authority.issue({ hosts: NAMES, ...valid }),
    expired: await authority.issue({
      hosts: NAMES,
      notBeforeMs: nowMs - 2 * DAY_MS,
      notAfterMs: nowMs - DAY_MS,
    }),
    notYetValid: await authority.issue({
      hosts: NAMES,
      notBeforeMs: nowMs + DAY_MS,
      notAfterMs: nowMs + 2 * DAY_MS,
    }),
    wrongHost: await authority.issue({ hosts: ["somewhere-else.test"], ...valid }),
    selfSigned: await createSelfSigned({ hosts: NAMES, ...valid }),
    untrusted: await stranger.issue({ hosts: NAMES, ...valid }),
  };
}
