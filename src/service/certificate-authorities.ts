/** The file of certificate authorities that deliveries trust besides the usual ones: PEM, whatever lies between. */
import { X509Certificate } from "node:crypto";

import type { Invalid } from "../runtime/config-file.ts";

export type CertificateAuthorities = {
  readonly kind: "authorities";
  readonly authorities: readonly string[];
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export function readCertificateAuthorities(text: string): CertificateAuthorities | Invalid {
  const authorities = text.match(CERTIFICATE) ?? [];
  if (authorities.length === 0) return { kind: "invalid", problems: ["it holds no certificate in PEM"] };
  // One that cannot be read would be left out without a word.
  const problems = authorities.flatMap((authority, index) => {
    try {
      void new X509Certificate(authority);
      return [];
    } catch (cause) {
      return [`its certificate ${index + 1} cannot be read: ${(cause as Error).message}`];
    }
  });
  return problems.length > 0 ? { kind: "invalid", problems } : { kind: "authorities", authorities };
}
