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
import { test } from "node:test";

import { jwtVerify } from "jose";

import { createOAuth } from "../../src/freight/upstream/oauth.ts";
import type { AssertionSettings } from "../../src/freight/upstream/signing-key.ts";
import { certificateWarnings } from "../../src/freight/upstream/oauth-problems.ts";
import { DAY_MS } from "../../src/runtime/durations.ts";
import { readUpstreamFile } from "../../src/freight/upstream/upstream-file.ts";
import { createAuthority, validAround } from "../../src/runtime/certificates.ts";
import { manualClock } from "../support/clock.ts";
import { bodyOf, serving } from "./serving.ts";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { oauthField } from "../../src/freight/upstream/upstream-schema.ts";

type Folder = { readonly write: (name: string, text: string, mode?: number) => string };

async function inFolder(work: (folder: Folder) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assertion-"));
  try {
    await work({
      write(name, text, mode = 0o600) {
        const file = join(folder, name);
        writeFileSync(file, text);
        chmodSync(file, mode);
        return file;
      },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" });
const rsa = (modulusLength = 2_048): string =>
  pemOf(generateKeyPairSync("rsa", { modulusLength }).privateKey);

type Shown = { readonly header: object; readonly payload: { readonly [name: string]: unknown } };

/** A token endpoint that verifies assertions as RFC 7523 has it, and takes none twice. */
async function shownTo(
  assertion: AssertionSettings,
  publicKey: KeyObject,
  work: (
    ask: () => Promise<string>,
    shown: Shown[],
    clock: ReturnType<typeof manualClock>,
    url: string,
  ) => Promise<void>,
): Promise<void> {
  const clock = manualClock();
  const shown: Shown[] = [];
  const ids = new Set<unknown>();
  let expected = "";
  await serving(
    (request, response) =>
      void (async () => {
        const form = new URLSearchParams(await bodyOf(request));
        const refuse = (): unknown => response.writeHead(401).end('{"error":"invalid_client"}');
        if (form.has("client_secret") || form.get("client_id") !== "boathook") return refuse();
        if (form.get("client_assertion_type") !== "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
          return refuse();
        try {
          const verified = await jwtVerify(form.get("client_assertion") ?? "", publicKey, {
            audience: assertion.audience ?? expected,
            issuer: "boathook",
            subject: "boathook",
            currentDate: new Date(clock.nowMs()),
            requiredClaims: ["jti", "exp", "iat", "nbf"],
          });
          if (ids.has(verified.payload.jti)) return refuse();
          ids.add(verified.payload.jti);
          shown.push({ header: verified.protectedHeader, payload: verified.payload });
        } catch {
          return refuse();
        }
        return response.end(`{"access_token":"token-${shown.length}","expires_in":0}`);
      })(),
    async ({ url, http }) => {
      expected = `${url}/token`;
      const settings = { clientId: "boathook", tokenUrl: expected, assertion };
      const oauth = createOAuth(settings, { http, clock, random: { fraction: () => 0.5 } });
      const ask = async (): Promise<string> => {
        const answer = await oauth.token();
        if (answer.kind === "token") return answer.value;
        return answer.kind === "failed" ? answer.reason : `not_permitted ${answer.status}`;
      };
      await work(ask, shown, clock, url);
    },
  );
}

test("an assertion by each algorithm is what the endpoint verifies, with a new id each time", () =>
  inFolder(async ({ write }) => {
    for (const [algorithm, pem] of [
      ["RS256", rsa()],
      ["PS256", rsa()],
      ["ES256", pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey)],
    ] as const) {
      const keyFile = write(`${algorithm}.pem`, pem);
      const assertion = { keyFile, algorithm, keyId: "key-1", lifetimeSeconds: 60 };
      await shownTo(assertion, createPublicKey(pem), async (ask, shown) => {
        assert.deepEqual([await ask(), await ask()], ["token-1", "token-2"]);
        assert.deepEqual(shown[0]?.header, { alg: algorithm, typ: "JWT", kid: "key-1" });
        const { exp, iat } = shown[0]?.payload ?? {};
        assert.equal(Number(exp) - Number(iat), 60);
      });
    }
  }));

test("a key of another pair is refused, and so is an assertion for another audience", () =>
  inFolder(async ({ write }) => {
    const pem = rsa();
    const other = createPublicKey(rsa());
    await shownTo({ keyFile: write("key.pem", pem) }, other, async (ask) => {
      assert.equal(await ask(), "not_permitted 401");
    });
    const settings = { keyFile: write("key.pem", pem), audience: "https://login.example/tenant" };
    await shownTo(settings, createPublicKey(pem), async (ask, shown) => {
      assert.equal(await ask(), "token-1");
      assert.equal(shown[0]?.payload["aud"], "https://login.example/tenant");
    });
  }));

test("the certificate's thumbprint goes into the header, and an expired one is named; a renewed one needs no restart", () =>
  inFolder(async ({ write }) => {
    const clock = manualClock();
    const authority = await createAuthority(clock.nowMs());
    const { cert, key } = await authority.issue({ hosts: ["boathook"], ...validAround(clock.nowMs()) });
    const { raw } = new X509Certificate(cert);
    const files = { keyFile: write("key.pem", key), certificateFile: write("cert.pem", cert) };
    for (const [thumbprint, hash] of [
      ["x5t", "sha1"],
      ["x5t#S256", "sha256"],
      [undefined, "sha256"],
    ] as const) {
      const settings = thumbprint === undefined ? files : { ...files, thumbprint };
      await shownTo(settings, createPublicKey(key), async (ask, shown) => {
        assert.equal(await ask(), "token-1");
        const digest = createHash(hash).update(raw).digest("base64url");
        assert.deepEqual(shown[0]?.header, { alg: "ES256", typ: "JWT", [thumbprint ?? "x5t#S256"]: digest });
      });
    }
    await shownTo(files, createPublicKey(key), async (ask, _, later) => {
      await later.advance(31 * DAY_MS);
      assert.equal(await ask(), "oauth_certificate_expired");
      const renewed = await authority.issue({ hosts: ["boathook"], ...validAround(later.nowMs()) });
      write("cert.pem", renewed.cert);
      write("key.pem", renewed.key);
      await later.advance(2_000);
      // The endpoint knows the old key only: it is the new one that is shown.
      assert.equal(await ask(), "not_permitted 401");
      rmSync(files.keyFile);
      await later.advance(61_000);
      assert.equal(await ask(), "oauth_key_unusable");
    });
  }));

const FILE = Compile(Type.Object({ oauth: oauthField }));

test("files of keys that cannot sign are named when the file is read, by field and rule", () =>
  inFolder(async ({ write }) => {
    const clock = manualClock();
    const authority = await createAuthority(clock.nowMs());
    const { cert, key } = await authority.issue({ hosts: ["boathook"], ...validAround(clock.nowMs()) });
    const encrypted = generateKeyPairSync("ec", {
      namedCurve: "P-256",
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" },
    }).privateKey;
    const keyFile = write("key.pem", key);
    const rsaFile = write("rsa.pem", rsa());
    const p384 = pemOf(generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey);
    for (const [assertion, problem] of [
      [{ keyFile: `${keyFile}.not` }, "/keyFile names no file"],
      [{ keyFile: join(keyFile, "..") }, "/keyFile cannot be read: EISDIR"],
      [
        { keyFile: write("open.pem", key, 0o644) },
        "/keyFile is open to every user of the machine: chmod 600",
      ],
      [{ keyFile: write("text.pem", "secret") }, "/keyFile holds no PEM private key"],
      [{ keyFile: write("locked.pem", encrypted) }, "/keyFile holds an encrypted key: decrypt it"],
      [{ keyFile, algorithm: "RS256" }, "/algorithm RS256 needs an RSA key"],
      [{ keyFile: rsaFile, algorithm: "ES256" }, "/algorithm ES256 needs a key on the curve P-256"],
      [{ keyFile: write("p384.pem", p384) }, "/algorithm ES256 needs a key on the curve P-256"],
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
  }));

test("certificates that have expired, or soon will, are named with their time", () =>
  inFolder(async ({ write }) => {
    const nowMs = manualClock().nowMs();
    const authority = await createAuthority(nowMs);
    const warnings = async (fromDays: number, toDays: number) => {
      const [notBeforeMs, notAfterMs] = [nowMs + fromDays * DAY_MS, nowMs + toDays * DAY_MS];
      const { cert, key } = await authority.issue({ hosts: ["boathook"], notBeforeMs, notAfterMs });
      const assertion = { keyFile: write("key.pem", key), certificateFile: write("cert.pem", cert) };
      const oauth = { tokenUrl: "https://login.example", clientId: "boathook", assertion };
      return certificateWarnings([{ oauth }, { oauth: { ...oauth, assertion: undefined } }], nowMs);
    };
    const at = (days: number) => `${new Date(nowMs + days * DAY_MS).toISOString().slice(0, 10)}T`;
    const field = "/0/oauth/assertion/certificateFile";
    assert.deepEqual(await warnings(-30, 20), []);
    for (const [from, to, text, days] of [
      [-30, 5, "expires at", 5],
      [-30, -1, "expired at", -1],
      [1, 30, "is not valid before", 1],
    ] as const) {
      const [warning, ...others] = await warnings(from, to);
      assert.equal(warning?.startsWith(`${field} ${text} ${at(days)}`), true);
      assert.deepEqual(others, []);
    }
  }));
