import assert from "node:assert/strict";
import { test } from "node:test";

import { textsIn, type Envelope } from "../../src/products/air/sources/status-request/answer-texts.ts";

const json = (at: string): Envelope => ({ format: "json", at });
const xml: Envelope = { format: "xml", at: "Message" };
const ENTITIES = "&#99999999;&nothing;&#x110000;";

for (const [what, body, envelope, texts] of [
  ["without an envelope, the answer", "FSA/14\r\n", undefined, ["FSA/14\r\n"]],
  ["without an envelope, no blanks", " \r\n", undefined, []],
  ["a member", '{"message":"FSA"}', json("message"), ["FSA"]],
  ["texts of a list", '{"data":{"messages":["one","two",3,""]}}', json("data.messages"), ["one", "two"]],
  ["members of a list", '{"items":[{"text":"one"},{},{"text":"two"}]}', json("items.text"), ["one", "two"]],
  ["members of an answer that is a list", '[{"text":"one"}]', json("text"), ["one"]],
  ["nothing at another path", '{"error":"none"}', json("data.messages"), []],
  ["nothing past null", '{"data":null}', json("data.messages"), []],
  ["nothing that is inherited", "{}", json("__proto__.toString"), []],
  ["no JSON", "<html>", json("message"), "not_json"],
  ["an element", "<r><Message>FSA/14\nX</Message></r>", xml, ["FSA/14\nX"]],
  [
    "elements of any prefix, and their entities",
    '<s:r xmlns:s="u"><s:Message id="1">a &lt;&#38;&#x26; b</s:Message><s:Message>c</s:Message></s:r>',
    xml,
    ["a <&& b", "c"],
  ],
  ["CDATA", "<r><Message><![CDATA[FSA <&amp;>]]>&#13;</Message></r>", xml, ["FSA <&amp;>\r"]],
  ["no empty element", "<r><Message/><Messages>no</Messages><Message>yes</Message></r>", xml, ["yes"]],
  ["entities that are none", `<r><Message>${ENTITIES}</Message></r>`, xml, [ENTITIES]],
  ["no element that never closes", "<r><Message>never closed", xml, []],
  ["no page", "<!doctype html><html><body>maintenance</body></html>", xml, "not_xml"],
  ["no XML", "maintenance", xml, "not_xml"],
  ["none of many that never close", `<r>${"<Message>".repeat(100_000)}`, xml, []],
] as const) {
  test(`messages of an answer: ${what}`, () => assert.deepEqual(textsIn(body, envelope), texts));
}
