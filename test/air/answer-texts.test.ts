import assert from "node:assert/strict";
import { test } from "node:test";

import { textsIn } from "../../src/products/air/sources/status-request/answer-texts.ts";
import { processorMs } from "../support/processor-time.ts";

test("without an envelope the answer is the message", () => {
  assert.deepEqual(textsIn("FSA/14\r\n", undefined), ["FSA/14\r\n"]);
  assert.deepEqual(textsIn(" \r\n", undefined), []);
});

test("messages are found at a path through JSON, in lists as well", () => {
  const at = (way: string) => ({ format: "json", at: way }) as const;
  assert.deepEqual(textsIn('{"message":"FSA"}', at("message")), ["FSA"]);
  assert.deepEqual(textsIn('{"data":{"messages":["one","two",3,""]}}', at("data.messages")), ["one", "two"]);
  assert.deepEqual(textsIn('{"items":[{"text":"one"},{},{"text":"two"}]}', at("items.text")), ["one", "two"]);
  assert.deepEqual(textsIn('[{"text":"one"}]', at("text")), ["one"]);
  assert.deepEqual(textsIn('{"error":"none"}', at("data.messages")), []);
  assert.deepEqual(textsIn('{"data":null}', at("data.messages")), []);
  assert.deepEqual(textsIn("{}", at("__proto__.toString")), []);
  assert.equal(textsIn("<html>", at("message")), "not_json");
});

test("messages are found in XML by their element's name, whatever its prefix", () => {
  const at = { format: "xml", at: "Message" } as const;
  assert.deepEqual(textsIn("<r><Message>FSA/14\nX</Message></r>", at), ["FSA/14\nX"]);
  assert.deepEqual(
    textsIn(
      '<s:r xmlns:s="u"><s:Message id="1">a &lt;&#38;&#x26; b</s:Message><s:Message>c</s:Message></s:r>',
      at,
    ),
    ["a <&& b", "c"],
  );
  assert.deepEqual(textsIn("<r><Message><![CDATA[FSA <&amp;>]]>&#13;</Message></r>", at), ["FSA <&amp;>\r"]);
  assert.deepEqual(textsIn("<r><Message/><Messages>no</Messages><Message>yes</Message></r>", at), ["yes"]);
  assert.deepEqual(textsIn("<r><Message>&#99999999;&nothing;&#x110000;</Message></r>", at), [
    "&#99999999;&nothing;&#x110000;",
  ]);
  assert.deepEqual(textsIn("<r><Message>never closed", at), []);
  assert.equal(textsIn("<!doctype html><html><body>maintenance</body></html>", at), "not_xml");
  assert.equal(textsIn("maintenance", at), "not_xml");
});

test("a megabyte of tags that never close takes no time", () => {
  const at = { format: "xml", at: "Message" } as const;
  const times = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length));
  for (const xml of [
    times("<Message>"),
    times("<Message "),
    times("<a:"),
    `<${times("a")}`,
    times("<![CDATA["),
  ]) {
    const ms = processorMs(() => assert.deepEqual(textsIn(`<r>${xml}`, at), []));
    assert.ok(ms < 1_000, xml.slice(0, 20));
  }
});
