import assert from "node:assert/strict";
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  X509Certificate,
  type KeyObject,
} from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { jwtVerify } from "jose";

import { createOAuth } from "../../src/freight/upstream/oauth.ts";
import { certificateWarnings } from "../../src/freight/upstream/oauth-problems.ts";
import { DAY_MS } from "../../src/runtime/durations.ts";
import { readUpstreamFile } from "../../src/freight/upstream/upstream-file.ts";
import { createAuthority, validAround } from "../../src/runtime/certificates.ts";
import { manualClock } from "../support/clock.ts";
import { bodyOf, served } from "./serving.ts";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { oauthField } from "../../src/freight/upstream/upstream-schema.ts";
import type { AssertionSettings } from "../../src/freight/upstream/upstream-schema.ts";

/** Writes files that last as long as the test. */
function filesOf(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "assertion-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return (name: string, text: string, mode = 0o600): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  };
}

const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" });
const rsa = (modulusLength = 2_048): string =>
  pemOf(generateKeyPairSync("rsa", { modulusLength }).privateKey);
const ec = (namedCurve: string): string => pemOf(generateKeyPairSync("ec", { namedCurve }).privateKey);
const RSA = rsa();

async function issued(nowMs: number) {
  const authority = await createAuthority(nowMs);
  return { authority, ...(await authority.issue({ hosts: ["boathook"], ...validAround(nowMs) })) };
}

type Shown = { readonly header: object; readonly payload: { readonly [name: string]: unknown } };

/** A token endpoint that verifies assertions as RFC 7523 has it, and takes none twice. */
async function shownTo(t: TestContext, assertion: AssertionSettings, publicKey: KeyObject) {
  const clock = manualClock();
  const shown: Shown[] = [];
  const ids = new Set<unknown>();
  const isAccepted = async (form: URLSearchParams): Promise<boolean> => {
    if (form.has("client_secret") || form.get("client_id") !== "boathook") return false;
    if (form.get("client_assertion_type") !== "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
      return false;
    const verified = await jwtVerify(form.get("client_assertion") ?? "", publicKey, {
      audience: assertion.audience ?? tokenUrl,
      issuer: "boathook",
      subject: "boathook",
      currentDate: new Date(clock.nowMs()),
      requiredClaims: ["jti", "exp", "iat", "nbf"],
    }).catch(() => null);
    if (verified === null || ids.has(verified.payload.jti)) return false;
    ids.add(verified.payload.jti);
    shown.push({ header: verified.protectedHeader, payload: verified.payload });
    return true;
  };
  const { url, http } = await served(t, (request, response) => {
    void (async () => {
      if (await isAccepted(new URLSearchParams(await bodyOf(request))))
        response.end(`{"access_token":"token-${shown.length}","expires_in":0}`);
      else response.writeHead(401).end('{"error":"invalid_client"}');
    })();
  });
  const tokenUrl = `${url}/token`;
  const settings = { clientId: "boathook", tokenUrl, assertion };
  const oauth = createOAuth(settings, { http, clock, random: { fraction: () => 0.5 } });
  const ask = async (): Promise<string> => {
    const answer = await oauth.token();
    if (answer.kind === "token") return answer.value;
    return answer.kind === "failed" ? answer.reason : `not_permitted ${answer.status}`;
  };
  return { ask, shown, clock };
}

test("an assertion by each algorithm is what the endpoint verifies, with a new id each time", async (t) => {
  const write = filesOf(t);
  for (const [algorithm, pem] of [
    ["RS256", RSA],
    ["PS256", RSA],
    ["ES256", ec("P-256")],
  ] as const) {
    const keyFile = write(`${algorithm}.pem`, pem);
    const assertion = { keyFile, algorithm, keyId: "key-1", lifetimeSeconds: 60 };
    const { ask, shown } = await shownTo(t, assertion, createPublicKey(pem));
    assert.deepEqual([await ask(), await ask()], ["token-1", "token-2"]);
    assert.deepEqual(shown[0]?.header, { alg: algorithm, typ: "JWT", kid: "key-1" });
    const { exp, iat } = shown[0]?.payload ?? {};
    assert.equal(Number(exp) - Number(iat), 60);
  }
});

test("a key of another pair is refused, and an assertion is for the audience that is set", async (t) => {
  const keyFile = filesOf(t)("key.pem", RSA);
  const other = await shownTo(t, { keyFile }, createPublicKey(rsa()));
  assert.equal(await other.ask(), "not_permitted 401");
  const audience = "https://login.example/tenant";
  const { ask, shown } = await shownTo(t, { keyFile, audience }, createPublicKey(RSA));
  assert.deepEqual([await ask(), shown[0]?.payload["aud"]], ["token-1", audience]);
});

test("the certificate's thumbprint goes into the header, and an expired one is named; a renewed one needs no restart", async (t) => {
  const write = filesOf(t);
  const { authority, cert, key } = await issued(manualClock().nowMs());
  const files = { keyFile: write("key.pem", key), certificateFile: write("cert.pem", cert) };
  for (const [thumbprint, hash] of [
    ["x5t", "sha1"],
    ["x5t#S256", "sha256"],
    [undefined, "sha256"],
  ] as const) {
    const settings = thumbprint === undefined ? files : { ...files, thumbprint };
    const { ask, shown } = await shownTo(t, settings, createPublicKey(key));
    assert.equal(await ask(), "token-1");
    const digest = createHash(hash).update(new X509Certificate(cert).raw).digest("base64url");
    assert.deepEqual(shown[0]?.header, { alg: "ES256", typ: "JWT", [thumbprint ?? "x5t#S256"]: digest });
  }
  const { ask, clock } = await shownTo(t, files, createPublicKey(key));
  await clock.advance(31 * DAY_MS);
  assert.equal(await ask(), "oauth_certificate_expired");
  const renewed = await authority.issue({ hosts: ["boathook"], ...validAround(clock.nowMs()) });
  write("cert.pem", renewed.cert);
  write("key.pem", renewed.key);
  await clock.advance(2_000);
  // The endpoint knows the old key only: it is the new one that is shown.
  assert.equal(await ask(), "not_permitted 401");
  rmSync(files.keyFile);
  await clock.advance(61_000);
  assert.equal(await ask(), "oauth_key_unusable");
});

const FILE = Compile(Type.Object({ oauth: oauthField }));

test("files of keys that cannot sign are named when the file is read, by field and rule", async (t) => {
  const write = filesOf(t);
  const { cert, key } = await issued(manualClock().nowMs());
  const locked = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" },
  }).privateKey;
  const keyFile = write("key.pem", key);
  const rsaFile = write("rsa.pem", RSA);
  const isOpen = "is open to every user of the machine: chmod 600";
  for (const [assertion, problem] of [
    [{ keyFile: `${keyFile}.not` }, "/keyFile names no file"],
    [{ keyFile: join(keyFile, "..") }, "/keyFile cannot be read: EISDIR"],
    [{ keyFile: write("open.pem", key, 0o644) }, `/keyFile ${isOpen}`],
    [{ keyFile: write("text.pem", "secret") }, "/keyFile holds no PEM private key"],
    [{ keyFile: write("locked.pem", locked) }, "/keyFile holds an encrypted key: decrypt it"],
    [{ keyFile, algorithm: "RS256" }, "/algorithm RS256 needs an RSA key"],
    [{ keyFile: rsaFile, algorithm: "ES256" }, "/algorithm ES256 needs a key on the curve P-256"],
    [{ keyFile: write("p384.pem", ec("P-384")) }, "/algorithm ES256 needs a key on the curve P-256"],
    [{ keyFile: write("short.pem", rsa(1_024)) }, "/algorithm RS256 needs an RSA key of 2048 bits or more"],
    [{ keyFile, certificateFile: keyFile }, "/certificateFile holds no PEM certificate"],
    [
      { keyFile: rsaFile, certificateFile: write("cert.pem", cert) },
      "/certificateFile is not of the key in keyFile",
    ],
    [{ keyFile, thumbprint: "x5t" }, "/thumbprint needs certificateFile"],
  ] as const) {
    const oauth = { tokenUrl: "https://login.example", clientId: "boathook", assertion };
    const read = readUpstreamFile("carriers", JSON.stringify({ oauth }), FILE, () => []);
    assert.deepEqual(read, { kind: "invalid", problems: [`/oauth/assertion${problem}`] });
  }
});

test("certificates that have expired, or soon will, are named with their time", async (t) => {
  const write = filesOf(t);
  const nowMs = manualClock().nowMs();
  const authority = await createAuthority(nowMs);
  for (const [from, to, text, days] of [
    [-30, 20, null, 0],
    [-30, 5, "expires at", 5],
    [-30, -1, "expired at", -1],
    [1, 30, "is not valid before", 1],
  ] as const) {
    const [notBeforeMs, notAfterMs] = [nowMs + from * DAY_MS, nowMs + to * DAY_MS];
    const { cert, key } = await authority.issue({ hosts: ["boathook"], notBeforeMs, notAfterMs });
    const assertion = { keyFile: write("key.pem", key), certificateFile: write("cert.pem", cert) };
    const oauth = { tokenUrl: "https://login.example", clientId: "boathook", assertion };
    const warnings = certificateWarnings([{ oauth }, { oauth: { ...oauth, assertion: undefined } }], nowMs);
    const at = `${new Date(nowMs + days * DAY_MS).toISOString().slice(0, 10)}T`;
    const expected = text === null ? [] : [`/0/oauth/assertion/certificateFile ${text} ${at}`];
    assert.deepEqual(
      warnings.map((warning, nth) => warning.slice(0, expected[nth]?.length)),
      expected,
    );
  }
});
