/** Links to the portal, from the command line. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import { createPortalTokens } from "../../src/http/portal/tokens.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { openShell } from "./shell.ts";

const random = systemRandom();

test("a link to the portal is signed as the service would, and leads where clients find it", async (t) => {
  const boathook = await openShell(t);
  boathook.environment["BOATHOOK_PUBLIC_URL"] = "https://api.example.com/hooks";
  boathook.environment["BOATHOOK_HOSTS"] = "air=air.example.com";
  const { id } = await boathook.json("accounts", "create", "Acme");
  const keyless = await boathook("portal-link", id, "--product", "tracking");
  assert.match(keyless.err, /^BOATHOOK_MASTER_KEY must be set/);
  const masterKey = randomBytes(32);
  boathook.environment["BOATHOOK_MASTER_KEY"] = masterKey.toString("base64");
  const { out, err, status } = await boathook("portal-link", id, "--product", "tracking");
  assert.equal(status, 0, err);
  const [, text = ""] = /^https:\/\/api\.example\.com\/hooks\/tracking\/portal#link=(.+)\n$/.exec(out) ?? [];
  assert.match(err, /^Good until 2\d{3}-/);
  const ports = { clock: { nowMs: () => Date.now() }, random };
  const link = createPortalTokens([masterKey], 1, ports).readLink(text);
  assert.deepEqual(
    { ...(link as object), linkId: "", endsAtMs: 0 },
    { product: "tracking", accountId: id, linkId: "", endsAtMs: 0 },
  );
  delete boathook.environment["BOATHOOK_PUBLIC_URL"];
  const named = await boathook.json("portal-link", id, "--product", "air", "--expires-in", "10");
  assert.match(named.url, /^https:\/\/air\.example\.com\/portal#/);

  const linkId = (link as { linkId: string }).linkId;
  assert.ok(err.endsWith(` Revoke it: boathook portal-links revoke ${id} ${linkId}\n`), err);
  const ids = (links: readonly { readonly id: string }[]) => links.map((one) => one.id);
  assert.deepEqual(ids(await boathook.json("portal-links", "list", id)), [named.id, linkId]);
  const first = await boathook("portal-links", "list", id, "--limit", "1");
  assert.match(first.out, /^ID +PRODUCT +MINTED +EXPIRES +USED +SESSIONS UNTIL +REVOKED\n.* air .*\n$/);
  assert.match(first.err, /^There are more/);
  const revoked = await boathook.json("portal-links", "revoke", id, linkId);
  assert.match(revoked.revoked_at, /^2\d{3}-/);
  const [, listed] = await boathook.json("portal-links", "list", id);
  assert.deepEqual(listed, revoked);
});
