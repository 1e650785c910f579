/** Lists and their filters (spec 4.2). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { box, record } from "../ocean/records.ts";
import { allPages, assertRefused, column } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { createCaller } from "../support/service.ts";
import { startOceanService } from "./ocean-service.ts";

describe("a list of containers", () => {
  const service = ofSuite(() => startOceanService());

  const client = async (): Promise<string> => (await createCaller(service, "tracking")).key;

  test("containers are listed newest first, in pages, by any filters together", async () => {
    const key = await client();
    const references = ["HRNU4000017", "CSQU3054383", "QUAYS104", "QUAYS105"];
    const ids = new Map<string, string>();
    for (const reference of references) ids.set(reference, await service.track(key, reference));
    await service.learn(ids.get("HRNU4000017")!, record());
    await service.learn(ids.get("CSQU3054383")!, record([box({ status: "arriving" })]));
    await service.learn(ids.get("QUAYS104")!, record([box()], { carrier: "TRNC" }));
    const listed = async (search: string) => {
      const all = await allPages((cursor) => service.ask(key, "GET", `?limit=1${search}${cursor}`));
      return column(all, "reference");
    };
    assert.deepEqual(await listed(""), references.toReversed());
    assert.deepEqual(await listed("&status=in_transit"), ["QUAYS104", "HRNU4000017"]);
    assert.deepEqual(await listed("&carrier=hrnl"), ["CSQU3054383", "HRNU4000017"]);
    assert.deepEqual(await listed("&carrier=HRNL&status=arriving"), ["CSQU3054383"]);
    assert.deepEqual(await listed("&reference=csqu+305438-3"), ["CSQU3054383"]);
    assert.deepEqual(await listed("&reference=CSQU3054383&status=pending"), []);
    assert.deepEqual(await listed("&status=pending"), ["QUAYS105"]);
  });

  test("a request with what is no filter is refused, and the message says what is allowed", async () => {
    const key = await client();
    for (const [search, message] of [
      ["status=lost", /query\.status must be one of pending, pre_departure, in_transit/],
      ["status=in_transit&status=arriving", /query\.status/],
      ["status=", /query\.status must be one of/],
      ["carrier=Heron", /query\.carrier must be a SCAC: two to four letters/],
      ["carrier=%25", /query\.carrier must be a SCAC/],
      ["carrier=", /query\.carrier must be a SCAC/],
      ["reference=HRNU4000018", /query\.reference .* check digit should be 7/],
      ["reference=%00", /query\.reference .* letters A to Z and digits/],
      ["reference=____%25", /query\.reference .* letters A to Z and digits/],
      [`reference=${"A".repeat(8_000)}`, /query\.reference .* 5 to 35/],
      ["reference=A1B2C3&reference=A1B2C4", /query\.reference/],
      ["attention=yes", /query\.attention/],
      ["limit=0", /query\.limit/],
      ["limit=101", /query\.limit/],
      ["cursor=x", /query\.cursor/],
      [
        "stauts=pending",
        /query has no stauts: there are limit, cursor, status, carrier, reference and attention/,
      ],
    ] as const)
      assertRefused(await service.ask(key, "GET", `?${search}`), 400, "INVALID_REQUEST", message);
  });
});
