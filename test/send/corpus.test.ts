import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { addressPolicy, checkAddress } from "../../src/engine/send/address.ts";
import { createResolver } from "../../src/engine/send/resolve.ts";
import { checkTargetUrl } from "../../src/engine/send/target-url.ts";
import type { DnsLookup } from "../../src/runtime/dns-lookup.ts";
import { manualClock } from "../support/clock.ts";
import { sharedPath } from "../support/shared.ts";

type Entry = {
  readonly id: string;
  readonly stage: "parse" | "literal" | "name" | "connect" | "redirect" | "policy" | "none";
  readonly url: string;
  readonly expect: "refuse" | "allow";
  readonly dns?: readonly (readonly string[])[];
  readonly own_addresses?: readonly string[];
};

type Corpus = {
  readonly ip_ranges: readonly { readonly cidr: string; readonly decision: string }[];
  readonly ip_vectors: readonly { readonly ip: string; readonly expect: string }[];
  readonly urls: readonly Entry[];
};

const path = sharedPath("security/ssrf-corpus.json");
const corpus: Corpus | null = path === null ? null : JSON.parse(readFileSync(path, "utf8"));
const skip = corpus === null ? "the corpus of addresses is not beside this project" : false;

/** Answers every lookup with the entry's first list, sorted by family as a name server would. */
function answering(addresses: readonly string[]): DnsLookup {
  return (_hostname, family, done) => {
    const records = addresses.filter((address) => address.includes(":") === (family === 6));
    done(
      null,
      records.map((address) => ({ address, ttlS: 60 })),
    );
  };
}

/** What becomes of a delivery to this URL before any byte leaves: null when it may connect. */
function refusalOf(entry: Entry): { readonly at: "registration" | "delivery" } | null {
  const policy = addressPolicy(false, { own: () => entry.own_addresses ?? [] });
  const target = checkTargetUrl(entry.url, policy);
  if (!target.ok) return { at: "registration" };
  if (target.localName !== null) return { at: "delivery" };
  if (target.isAddress) return null;
  let refused: { readonly at: "delivery" } | null = null;
  const resolver = createResolver({
    dnsLookup: answering(entry.dns?.[0] ?? []),
    clock: manualClock(),
    policy,
  });
  resolver.resolve(target.hostname, (resolved) => {
    if (!resolved.ok) refused = { at: "delivery" };
  });
  return refused;
}

describe("the corpus of addresses", { skip }, () => {
  it("has its ranges classified as it says", () => {
    const policy = addressPolicy(false);
    for (const { cidr, decision } of corpus!.ip_ranges) {
      if (decision === "refuse") assert.equal(checkAddress(cidr.split("/")[0]!, policy).allowed, false, cidr);
    }
  });

  it("has each of its public addresses refused where the operator denies it, or this machine has it", () => {
    for (const { ip, expect } of corpus!.ip_vectors) {
      if (expect !== "allow") continue;
      for (const closed of [{ denied: [ip] }, { own: () => [ip] }])
        assert.equal(checkAddress(ip, addressPolicy(false, closed)).allowed, false, ip);
    }
  });

  it("has its addresses classified as it says", () => {
    const policy = addressPolicy(false);
    for (const { ip, expect } of corpus!.ip_vectors) {
      assert.equal(checkAddress(ip, policy).allowed, expect === "allow", ip);
    }
  });

  it("has its URLs refused where it says, and none other", () => {
    for (const entry of corpus!.urls) {
      const refusal = refusalOf(entry);
      const about = `${entry.id} ${entry.url}`;
      // A redirect is a delivery like any other until its answer comes, which nobody follows
      // (`sender.test.ts`).
      if (entry.stage === "none" || entry.stage === "redirect") assert.equal(refusal, null, about);
      else if (entry.stage === "name" || entry.stage === "connect")
        assert.equal(refusal?.at, "delivery", about);
      else assert.equal(refusal?.at, "registration", about);
    }
  });
});
