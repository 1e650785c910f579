/** What the portal computes itself: signatures, colours, advice, and what it gives away to copy. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import fc from "fast-check";

import { adviceOn } from "../../packages/console/src/portal/advice.ts";
import { brandColors, contrast, rgbOf, textOn } from "../../packages/console/src/portal/brand.ts";
import { checkSignature } from "../../packages/console/src/portal/signature.ts";
import { installing, SNIPPETS } from "../../packages/console/src/portal/three-lines.ts";
import packageJson from "../../package.json" with { type: "json" };
import { attemptErrorFrom } from "../../src/engine/send/errors.ts";
import { runs } from "../support/runs.ts";

const root = join(import.meta.dirname, "..", "..");

type Vector = {
  readonly name: string;
  readonly body: string;
  readonly body_encoding?: string;
  readonly secret: string;
  readonly signature: string;
  readonly event: string;
  readonly delivery: string;
  readonly signed: boolean;
  readonly verdict: string;
};

const SECRET = `whsec_${"Qx7-Vb2n".repeat(8)}`;
const OCCURRED = "2026-11-20T08:15:00.000Z";
const NOW_MS = Date.parse("2026-11-20T08:16:00.000Z");
const BODY = `{"id":"019a9c1e-7a10-7c3e-9d55-3f2b8c6d4e01","type":"ping","occurred_at":"${OCCURRED}","data":{"message":"Grüße"}}`;

const signed = (body: string, secret = SECRET) =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
const headersOf = (signature: string) =>
  `X-Rates-Event: ping\nx-rates-delivery: 019a9c1e-7a10-7c3e-9d55-3f2b8c6d4e01\nX-RATES-SIGNATURE: ${signature}\r\n`;
const check = (body: string, { headers = headersOf(signed(BODY)), secret = SECRET, nowMs = NOW_MS } = {}) =>
  checkSignature({ headers, body, secret }, nowMs);

describe("a signature that is checked in the page", () => {
  test("says of the receivers' vectors what they say", async () => {
    const { vectors } = JSON.parse(
      readFileSync(join(root, "packages", "receiver", "vectors.json"), "utf8"),
    ) as { readonly vectors: readonly Vector[] };
    let compared = 0;
    for (const one of vectors) {
      // The page has texts; and what is not a delivery has no verdict here.
      const isText = !Object.keys(one).some((name) => name.includes("base64"));
      if (!isText || !["ok", "wrong_signature", "mismatched_id", "mismatched_type"].includes(one.verdict))
        continue;
      const { event, delivery, signature } = one;
      const headers = `X-A-Event: ${event}\nX-A-Delivery: ${delivery}\nX-A-Signature: ${signature}`;
      const { isGood } = await checkSignature({ headers, body: one.body, secret: one.secret }, NOW_MS);
      assert.equal(isGood, one.verdict === "ok", one.name);
      compared += 1;
    }
    assert.ok(compared > 5, `${compared} vectors`);
  });

  test("takes headers as logs, curl and JSON write them, or the signature alone", async () => {
    const signature = signed(BODY);
    for (const headers of [
      signature,
      signature.slice("sha256=".length).replace(/^/, "sha256="),
      `> X-Rates-Signature: ${signature}`,
      `{"x-rates-signature":"${signature}","x-rates-event":"ping"}`,
      `-H 'X-Rates-Signature: ${signature}' \\`,
    ])
      assert.equal((await check(BODY, { headers })).isGood, true, headers);
  });

  test("names the mistake", async () => {
    const pretty = JSON.stringify(JSON.parse(BODY), null, 2);
    const [digest] = signed(BODY).split("=").toReversed();
    for (const [expected, verdict] of [
      [/line end or space behind it/, check(`${BODY}\n`)],
      [/byte order mark/, check(`\ufeff${BODY}`)],
      [/parsed and written again/, check(pretty)],
      [/base64/, check(Buffer.from(BODY).toString("base64"))],
      [/spaces or quotes/, check(BODY, { secret: ` "${SECRET}"` })],
      [/lacks its beginning/, check(BODY, { secret: SECRET.slice(6) })],
      [/70/, check(BODY, { secret: "tracking_0123" })],
      [/another endpoint's/, check(BODY, { secret: SECRET.replace("Q", "R") })],
      [/changed in transit: .* not even JSON/s, check(BODY.slice(0, -2))],
      [/of another delivery than the headers/, check(BODY.replace("019a", "019b"))],
      [/lacks its literal prefix/, check(BODY, { headers: headersOf(digest!) })],
      [/upper case/, check(BODY, { headers: headersOf(`sha256=${digest!.toUpperCase()}`) })],
      [/more than once/, check(BODY, { headers: headersOf(`${signed(BODY)}, ${signed(BODY)}`) })],
      [/cut short/, check(BODY, { headers: headersOf("sha256=12ab") })],
      [/no signature header/, check(BODY, { headers: "content-type: application/json" })],
      [/body is empty/, check("")],
      [/secret is missing/, check(BODY, { secret: "" })],
    ] as const) {
      const { isGood, findings } = await verdict;
      assert.deepEqual(
        [isGood, expected.test(findings.join(" "))],
        [false, true],
        `${String(expected)}: ${findings.join(" ")}`,
      );
    }
  });

  test("compares the clock with the event's time", async () => {
    const at = async (nowMs: number) => (await check(BODY, { nowMs })).findings.join();
    assert.equal(await at(NOW_MS), "");
    assert.match(await at(NOW_MS - 3_600_000), /59 minutes in the future: the clock is wrong/);
    assert.match(await at(NOW_MS + 10 * 86_400_000), /10 days old.*replay/s);
  });

  test("never accepts what was not signed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.string(), async (body, secret) => {
        const { isGood } = await check(body, { secret });
        assert.equal(isGood, body === BODY && secret === SECRET);
      }),
      { numRuns: 50 },
    );
  });
});

describe("a brand's colours", () => {
  const CARD = { light: "#ffffff", dark: "#171f28" } as const;
  const PAGE = { light: "#f6f7f9", dark: "#10161d" } as const;

  test("are readable, whatever colour the brand has", () => {
    const hex = fc.nat({ max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
    const ratio = (one: string, other: string) => contrast(rgbOf(one), rgbOf(other));
    fc.assert(
      fc.property(hex, fc.constantFrom("light" as const, "dark" as const), (color, theme) => {
        const { accent, accentText, tint, onTint } = brandColors(color, theme);
        for (const [text, behind] of [
          [accent, CARD[theme]],
          [accent, PAGE[theme]],
          [accentText, accent],
          [onTint, tint],
          [textOn(color), color],
        ] as const)
          assert.ok(ratio(text, behind) >= 4.5, `${color}, ${theme}: ${text} on ${behind}`);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("are the brand's own where they are readable", () => {
    assert.equal(brandColors("#0b5f80", "light").accent, "#0b5f80");
    assert.equal(brandColors("#ffcc00", "dark").accent, "#ffcc00");
  });
});

test("every error that an attempt may have says what it means and what to do", () => {
  const { code } = attemptErrorFrom(Object.assign(new Error(), { code: "ECONNREFUSED" }));
  assert.match(adviceOn(`${code}: any`)!.remedy, /Start the receiver/);
  for (const status of [301, 400, 401, 404, 405, 410, 413, 429, 500, 503, 599, 199])
    assert.ok(adviceOn(`http_${status}: any`), String(status));
  assert.match(adviceOn("http_308: any")!.means, /redirects/);
  for (const none of [null, "", "none: any", "constructor: any", "http_x"])
    assert.equal(adviceOn(none), null);
});

describe("a receiver in three lines", () => {
  test("has three", () => {
    for (const [name, text] of Object.entries(SNIPPETS)) assert.equal(text.split("\n").length, 3, name);
  });

  test("is installed by the commands that the guide shows", () => {
    const guide = readFileSync(join(root, "docs", "receiving.md"), "utf8");
    const { version } = packageJson;
    const commands = installing({ at: "https://webhooks.example.com/tracking/packages", version });
    for (const command of Object.values(commands)) assert.ok(guide.includes(`\n${command}\n`), command);
  });

  const HEADERS = JSON.stringify({
    "x-rates-signature": signed(BODY),
    "x-rates-event": "ping",
    "x-rates-delivery": "019a9c1e-7a10-7c3e-9d55-3f2b8c6d4e01",
  });
  const env = { ...process.env, WEBHOOK_SECRET: SECRET, HEADERS, BODY };

  test("receives, in JavaScript", () => {
    const kit = join(root, "packages", "receiver", "src", "index.ts");
    const program = SNIPPETS.JavaScript.replace("@boathook/receiver", kit).replace(
      "createServer(receiver.node).listen(3000);",
      `createServer(receiver.node);
       console.log((await receiver.receive("POST", JSON.parse(process.env.HEADERS), process.env.BODY)).status);`,
    );
    const words = ["--input-type=module-typescript", "-e", program];
    assert.match(execFileSync(process.execPath, words, { env }).toString(), /019a9c1e-7a10[^]*204/);
  });

  const hasPython = spawnSync("python3", ["--version"]).status === 0;
  test("receives, in Python", { skip: hasPython ? false : "python3 is not on this machine" }, () => {
    const program = `${SNIPPETS.Python}
import json
print(receiver.receive("POST", json.loads(os.environ["HEADERS"]), os.environ["BODY"].encode()).status)`;
    const path = join(root, "packages", "receiver-python", "src");
    const said = execFileSync("python3", ["-c", program], { env: { ...env, PYTHONPATH: path } }).toString();
    assert.match(said, /019a9c1e-7a10[^]*204/);
  });
});
