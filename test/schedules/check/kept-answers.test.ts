/** What a check keeps of answers: nothing of a credential, and enough to repeat what they became. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { FEED_CHECK } from "../../../src/products/schedules/check/feed-check.ts";
import { describeTrusting } from "../../support/trusting.ts";
import { csService, stamp } from "../sources/answers.ts";
import { check, withSource, type Reply } from "../../source-check/replayed.ts";
import { CALL, feedAt, NEXT, PAGE, pagesOf } from "./checked-feed.ts";

const folder = mkdtempSync(join(tmpdir(), "boathook-kept-feed-"));

describeTrusting("what a check keeps of a feed", () => {
  after(() => rmSync(folder, { recursive: true }));

  test("a refusal or a part of an answer that repeats a key shows nothing of it", async () => {
    const key = "the-long-key-of-a-user-who-wants-to-keep-it";
    const refusal = { errors: [{ errorCodeMessage: `the key ${key} is over its limit` }] };
    const strange = { ...CALL, timestamps: [stamp("ARRI", "EST", key)] };
    const basic = `Basic ${Buffer.from(`heron:${key}`).toString("base64")}`;
    for (const pages of [
      [{ body: [csService("FE1", [CALL]), { remark: key }] }],
      [{ status: 400, body: refusal }],
      [
        { ...PAGE, ...NEXT },
        { status: 400, body: refusal },
      ],
      [{ body: [csService("FE1", [CALL, strange])] }],
    ] as const) {
      await withSource(pagesOf(...(pages as readonly Reply[])), async ({ url }) => {
        for (const more of [{ parameters: { authorization: key } }, { headers: { authorization: basic } }]) {
          const checked = await check(FEED_CHECK, feedAt(url, more), {}, { record: folder });
          const text = JSON.stringify(checked) + readFileSync(checked.recorded!, "utf8");
          assert.ok(!text.includes(key.slice(0, 12)), text);
        }
      });
    }
  });

  test("a key of three characters, and one that is repeated in Base64 or hex, are not kept; JSON stays JSON", async () => {
    const key = "k4%/";
    const echo = {
      remark: [Buffer.from(key), Buffer.from(`heron:${key}`)].flatMap((bytes) => [
        bytes.toString("base64"),
        bytes.toString("hex"),
      ]),
      party: 207,
      note: "207 of 2071",
    };
    await withSource(pagesOf({ body: [csService("FE1", [CALL]), echo] }), async ({ url }) => {
      const feed = feedAt(url, { headers: { "x-key": key, "x-customer": "207" } });
      const checked = await check(FEED_CHECK, feed, {}, { record: folder });
      const { exchanges } = JSON.parse(readFileSync(checked.recorded!, "utf8"));
      const [, { remark, party, note }] = JSON.parse(exchanges[0].body);
      assert.deepEqual([remark[0], remark[1]], ["[hidden]", "[hidden]"]);
      assert.equal(remark.length, 4);
      for (const one of remark) assert.match(one, /\[hidden\]/);
      assert.deepEqual([party, note], ["[hidden]", "[hidden] of 2071"]);
    });
  });
});
