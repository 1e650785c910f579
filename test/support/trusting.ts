/** Tests during which this process trusts an authority of its own; the files that share the process do not. */
import { after, before, describe } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";

import { makeCertificates, type TestCertificates } from "./certificates.ts";

/** What servers show, for the tests of a file. */
export let certificates: TestCertificates;

export function describeTrusting(name: string, tests: () => void): void {
  describe(name, () => {
    const trusted = getCACertificates("default");
    before(async () => {
      certificates = await makeCertificates();
      setDefaultCACertificates([...trusted, certificates.authority.cert]);
    });
    after(() => {
      setDefaultCACertificates(trusted);
    });
    tests();
  });
}
