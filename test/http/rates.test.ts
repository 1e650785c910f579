/** Freight rates over HTTP: loaded by the operator, read by clients who are entitled to it. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { rateRoutes } from "../../src/products/rates/routes/routes.ts";
import { NO_TERMS } from "../../src/products/rates/lanes/terms.ts";
import { allPages, assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import {
  sendWithKey,
  createCaller,
  sendAsOperator,
  OPERATOR_TOKEN,
  send,
  startService,
} from "../support/service.ts";
import { column, columns } from "../support/columns.ts";

const HEADING = "origin,destination,equipment,carrier,currency,valid_from,valid_to,base,surcharges";

const PLAIN = { per: "container", percent: null, currency: "USD", name: null };

/** The clock of the tests stands at noon of 2026-11-02. */
const FILE = `${HEADING}
CNSHA,NLRTM,40HC,HRNL,USD,2026-11-01,2026-11-30,2000.00,BAF=350.50|THC=210:included
CNSHA,NLRTM,20GP,HRNL,USD,2026-11-01,,1200,
CNSHA,DEHAM,40HC,,USD,2026-11-01,,2100,
INNSA,NLRTM,40HC,TRNC,EUR,2026-12-01,,900,
`;

describe("freight rates", () => {
  const service = ofSuite(() => startService({ productRoutes: new Map([["rates", rateRoutes()]]) }));
  let key: string;
  before(async () => {
    ({ key } = await createCaller(service, "rates", ["freightrates"]));
    const loaded = await push(FILE);
    assert.deepEqual(
      [loaded.status, loaded.body],
      [200, { lines: 4, loaded: 4, replaced: 0, unchanged: 0, changes: 0, refused: 0, problems: [] }],
    );
  });

  const push = (payload: string, type = "text/csv", url = "/v1/rates") =>
    send(service.ops, {
      method: "POST",
      url,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": type },
      payload,
    });
  const get = (path: string, by = key) => sendWithKey(service, by, "GET", `/rates/v1${path}`);
  const lanesOf = async (path: string) => {
    const { status, body } = await get(`/lanes${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map(
      (lane: Record<string, string>) => `${lane["origin"]} ${lane["destination"]} ${lane["equipment"]}`,
    );
  };

  test("lanes are listed in their order, with the rate of today, filtered, and in pages", async () => {
    const all = ["CNSHA DEHAM 40HC", "CNSHA NLRTM 20GP", "CNSHA NLRTM 40HC", "INNSA NLRTM 40HC"];
    assert.deepEqual(await lanesOf(""), all);
    for (const [filter, expected] of [
      ["?origin=CNSHA&destination=NLRTM", [all[1], all[2]]],
      ["?destination=nlrtm", [all[1], all[2], all[3]]],
      ["?equipment=40HQ&carrier=HRNL", [all[2]]],
      ["?carrier=market", [all[0]]],
    ] as const) {
      assert.deepEqual(await lanesOf(filter), expected, filter);
    }
    for (const [day, totals] of [
      ["2026-11-30", ["2100.00", "1200.00", "2350.50", null]],
      ["2026-12-01", ["2100.00", "1200.00", null, "900.00"]],
      ["2026-10-31", [null, null, null, null]],
    ] as const) {
      const { body } = await get(`/lanes?on=${day}`);
      const rates = body.data.map(({ rate }: { rate: { total: string } | null }) => rate?.total ?? null);
      assert.deepEqual(rates, totals, day);
    }
    for (const filter of ["?", "?destination=NLRTM&", "?origin=CNSHA&"]) {
      const seen = await allPages((cursor) => get(`/lanes${filter}limit=1${cursor}`));
      assert.deepEqual(
        column(seen, "id"),
        column((await get(`/lanes${filter}limit=100`)).body.data, "id"),
        filter,
      );
    }
  });

  test("a lane shows its rate to the last digit, and its history what went before", async () => {
    const { body } = await get("/lanes?equipment=40HC&carrier=HRNL");
    const [lane] = body.data;
    const { id: rateId, loaded_at, ...rate } = lane.rate;
    assert.deepEqual(
      { ...lane, rate },
      {
        id: lane.id,
        origin: "CNSHA",
        destination: "NLRTM",
        equipment: "40HC",
        carrier: "HRNL",
        currency: "USD",
        ...{ kind: null, contract: null, commodity: "FAK" },
        rate: {
          ...NO_TERMS,
          layer: "standard",
          base: "2000.00",
          surcharges: [
            { code: "BAF", amount: "350.50", included: false, ...PLAIN },
            { code: "THC", amount: "210.00", included: true, ...PLAIN },
          ],
          not_in_total: [],
          total: "2350.50",
          valid_from: "2026-11-01",
          valid_to: "2026-11-30",
        },
      },
    );
    assert.equal(loaded_at, "2026-11-02T12:00:00.000Z");
    assert.deepEqual((await get(`/lanes/${lane.id}`)).body, { data: lane });
    await push(
      `${HEADING}\nCNSHA,NLRTM,40HC,HRNL,USD,2026-11-01,2026-11-30,1900,\nCNSHA,NLRTM,40HC,HRNL,USD,2026-11-20,,1800,`,
    );
    const history = await get(`/lanes/${lane.id}/history`);
    assert.deepEqual(columns(history.body.data, "valid_from", "valid_to", "total", "ended_by"), [
      ["2026-11-20", null, "1800.00", null],
      ["2026-11-01", "2026-11-19", "1900.00", null],
      ["2026-11-01", "2026-11-30", "2350.50", "replaced"],
    ]);
    const first = await get(`/lanes/${lane.id}/history?limit=2`);
    const second = await get(`/lanes/${lane.id}/history?limit=2&cursor=${first.body.next_cursor}`);
    assert.deepEqual([...first.body.data, ...second.body.data], history.body.data);
    assert.equal(second.body.data[0].id, rateId);
    assert.equal(second.body.next_cursor, undefined);
    await push(FILE);
  });

  test("what is not entitled, not there, or not a filter is refused by its code", async () => {
    const { key: poor } = await createCaller(service, "tracking", ["aircargo"]);
    const nobodys = "01900000-0000-7000-8000-000000000002";
    const lane = `/lanes/${nobodys}`;
    for (const path of ["/lanes", "/rates", lane, `${lane}/history`, "/indices", "/indices/europe"]) {
      assertRefused(await get(path, poor), 403, "entitlement_required", /freightrates/);
    }
    for (const path of [
      `/lanes/${nobodys}`,
      "/lanes/7/history",
      "/indices/europe",
      "/indices/%00",
      "/indices/A",
    ]) {
      assertRefused(await get(path), 404, "not_found");
    }
    for (const [path, message] of [
      ["/lanes?origin=Shanghai", /^query\.origin must be a UN\/LOCODE/],
      ["/lanes?equipment=40ZZZ", /^query\.equipment must be an ISO 6346 .*, not "40ZZZ"/],
      ["/lanes?on=2026-02-30", /^query\.on must be a day/],
      ["/lanes?carier=HRNL", /^query has no carier: it takes limit, cursor/],
      ["/lanes?cursor=x", /^query\.cursor must be/],
      ["/lanes?carrier=%00", /^query\.carrier must be a SCAC/],
      ["/indices/europe?values=0", /^query\.values/],
    ] as const) {
      assertRefused(await get(path), 400, "invalid_request", message);
    }
  });

  test("a wrong line is reported, and stops the other lines only in strict mode", async () => {
    const text = `${HEADING}\nCNSHA,GBFXT,40HC,HRNL,USD,2026-11-01,,2000,\nCNSHA,GBFXT,20GP,HRNL,USD,2026-11-01,,two,\n`;
    const strict = await push(text, "text/csv; charset=utf-8", "/v1/rates?strict=true");
    assertRefused(strict, 400, "INVALID_REQUEST", /^nothing was loaded: line 3: base must be/);
    assert.deepEqual(
      [strict.body.lines, strict.body.loaded, strict.body.refused, strict.body.problems[0].line],
      [2, 0, 1, 3],
    );
    assert.deepEqual(await lanesOf("?destination=GBFXT"), []);
    const { status, body } = await push(text);
    assert.deepEqual([status, body.loaded, body.refused, body.problems[0].line], [200, 1, 1, 3]);
    const json = JSON.stringify({ rates: [{ origin: "CNSHA", destination: "GBFXT" }] });
    const nothing = await push(json, "application/json");
    assert.equal(nothing.status, 400);
    assert.match(nothing.body.error.message, /^nothing was loaded: line 1: equipment is missing/);
  });

  test("a change is broadcast, and a rate may be taken out of force", async () => {
    const { body } = await get("/lanes?equipment=20GP&destination=NLRTM");
    const { id, rate } = body.data[0];
    const removed = await sendAsOperator(service, "DELETE", `/v1/rates/${rate.id}`);
    assert.deepEqual([removed.status, removed.body], [200, { id: rate.id, deleted: true, changes: 1 }]);
    assert.equal((await sendAsOperator(service, "DELETE", `/v1/rates/${rate.id}`)).status, 404);
    assert.equal((await sendAsOperator(service, "DELETE", "/v1/rates/7")).status, 404);
    assert.equal((await get(`/lanes/${id}`)).body.data.rate, null);
    await service.test.forward();
    for (const cell of service.test.cells) {
      const { rows } = await service.test.queryIn(
        cell,
        "select type, data from cell.broadcasts order by id desc limit 1",
      );
      assert.equal(rows[0].type, "lane_rate_updated");
      assert.equal(JSON.parse(rows[0].data).lane_id, id);
    }
    await push(FILE);
  });

  test("an index is defined, computed and read, with a number taken digit by digit", async () => {
    const definition =
      '{"id": "europe", "name": "Europe", "currency": "USD", "base_date": "2026-11-02", "base_value": 100.50, "day": "none",' +
      ' "lanes": [{"origin": "CNSHA", "destination": "DEHAM", "equipment": "40HC", "weight": 1.5}]}';
    const define = (text: string) => push(text, "application/json", "/v1/rates/indices");
    const defined = await define(definition);
    assert.equal(defined.status, 201, JSON.stringify(defined.body));
    assert.deepEqual([defined.body.base_value, defined.body.lanes[0].weight], ["100.50", "1.5000"]);
    const finer = await define(definition.replace("1.5}", "1.50000000000000000001}"));
    assert.match(finer.body.error.message, /^lanes\[0\]: weight must be/);
    assert.match((await define(definition)).body.error.message, /^there is an index europe already/);

    const compute = (body?: object, id = "europe") =>
      sendAsOperator(service, "POST", `/v1/rates/indices/${id}/values`, body);
    assert.deepEqual([(await compute()).status, (await compute(undefined, "asia")).status], [200, 404]);
    assert.match((await compute({ on: "2026-11-03" })).body.error.message, /yet to come/);
    assert.match((await compute({ on: 7 })).body.error.message, /^body/);
    service.clock.jump(24 * 60 * 60 * 1000);
    const computed = await compute();
    assert.deepEqual(
      [computed.status, computed.body.dated, computed.body.value],
      [201, "2026-11-03", "100.50"],
    );
    assert.equal((await compute()).status, 200);

    const { body } = await get("/indices/europe?values=1");
    assert.equal(body.data.lanes[0].base_price, "2100.00");
    assert.deepEqual(body.data.values, [computed.body]);
    assert.deepEqual(computed.body.previous, {
      dated: "2026-11-02",
      value: "100.50",
      change: "0.00",
      change_percent: "0.00",
    });
    const list = await get("/indices");
    assert.deepEqual(column(list.body.data, "latest"), [computed.body]);
    assert.equal((await sendAsOperator(service, "DELETE", "/v1/rates/indices/europe")).status, 200);
    assert.equal((await sendAsOperator(service, "DELETE", "/v1/rates/indices/europe")).status, 404);
    assert.deepEqual((await get("/indices")).body, { data: [] });
    service.clock.jump(-24 * 60 * 60 * 1000);
  });

  test("rates are listed as they were loaded, the last first, with the change from the rate before", async () => {
    const heading = "origin,destination,equipment,carrier,currency,valid_from,base";
    const lane = (day: string, base: string) => `${heading}\nJPYOK,USOAK,40HC,HRNL,USD,${day},${base}`;
    for (const [day, base] of [
      ["2026-10-01", "1000"],
      ["2026-11-01", "1100"],
      ["2026-10-01", "800"],
    ] as const)
      await push(lane(day, base));
    const { body } = await get("/rates?limit=3");
    assert.deepEqual(
      columns(body.data, "origin", "valid_from", "total", "old_total", "change_percent", "ended_by"),
      [
        ["JPYOK", "2026-10-01", "800.00", "1000.00", "-20.00", null],
        ["JPYOK", "2026-11-01", "1100.00", "800.00", "37.50", null],
        ["JPYOK", "2026-10-01", "1000.00", null, null, "replaced"],
      ],
    );
    const whole = (await get("/rates?limit=100")).body.data;
    assert.deepEqual(await allPages((cursor) => get(`/rates?limit=2${cursor}`)), whole);
  });
});
