/** Searching the public routes of schedules: days, pages, mistakes, and how often (spec 5, 8). */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { DAY_MS, said } from "../schedules/statements.ts";
import { callOn, DUSK, startSchedulesService, type SchedulesService } from "./schedules-service.ts";

describe("a search for sailings", () => {
  let service: SchedulesService;
  before(async () => {
    service = await startSchedulesService();
  });
  after(() => service.close());
  beforeEach(() => service.clear());

  const search = async (more = "") => {
    const { status, body } = await service.ask(`/sailings?origin=JPYOK&destination=USOAK${more}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  test("the window is of days at the origin, from today on for four weeks", async () => {
    // Midnight at Yokohama is three in the afternoon of UTC.
    const midnightMs = Date.UTC(2026, 10, 10, 15);
    const calls = [midnightMs - 1, midnightMs].flatMap((ms, nth) => {
      const voyage = { import: `${nth}E`, export: `${nth}E` };
      const vessel = { ...DUSK, imo: `932149${nth}` };
      return [
        said({ departure: { planned: ms }, voyage, vessel }),
        said({ port: "USOAK", arrival: { planned: ms + 9 * DAY_MS }, voyage, vessel }),
      ];
    });
    await service.say([...calls, callOn("JPYOK", 29), callOn("USOAK", 40)]);
    assert.equal((await search()).data.length, 2);
    assert.equal((await search("&to=2026-12-31")).data.length, 3);
    const only = async (day: string) =>
      (await search(`&from=${day}&to=${day}`)).data.map(
        (one: { departure: { planned: string } }) => one.departure.planned,
      );
    assert.deepEqual(await only("2026-11-10"), [new Date(midnightMs - 1).toISOString()]);
    assert.deepEqual(await only("2026-11-11"), [new Date(midnightMs).toISOString()]);
  });

  test("pages go on where the one before ended, also where several leave at once", async () => {
    await service.say(
      Array.from({ length: 7 }, (_, nth) => {
        const vessel = { imo: `900000${nth}`, name: null, isDummy: false };
        const voyage = { import: `${nth}E`, export: `${nth}E` };
        return [
          callOn("JPYOK", nth < 4 ? 1 : 2, { vessel, voyage }),
          callOn("USOAK", 12, { vessel, voyage }),
        ];
      }).flat(),
    );
    const whole = await search();
    const seen: unknown[] = [];
    let cursor = "";
    do {
      const page = await search(`&limit=2${cursor}`);
      seen.push(...page.data);
      cursor = page.next_cursor === undefined ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    assert.equal(seen.length, 7);
    assert.deepEqual(seen, whole.data);
    assert.equal(whole.next_cursor, undefined);
  });

  test("what cannot be meant is refused with what to change", async () => {
    const ports = "origin=JPYOK&destination=USOAK";
    for (const [asked, message] of [
      ["", /^query lacks origin|^query\.origin/],
      ["origin=JPYOK", /destination/],
      [
        "origin=Yokohama&destination=USOAK",
        /^query\.origin must be a UN\/LOCODE such as NLRTM, not "Yokohama"$/,
      ],
      ["origin=JPYOK&destination=jpyok", /^query\.destination must be another port than origin/],
      ["origin=%00&destination=USOAK", /^query\.origin must be a UN\/LOCODE/],
      ["origin=JPYOK&origin=JPNGO&destination=USOAK", /^query\.origin/],
      [`${ports}&from=tomorrow`, /^query\.from must be a day such as/],
      [`${ports}&from=2026-11-10&to=2026-11-09`, /^query\.to must be 2026-11-10 or later/],
      [`${ports}&from=2026-11-01&to=2027-02-01`, /^query\.to must be 2027-01-31 or earlier: 92 days/],
      [`${ports}&carrier=HERON`, /^query\.carrier must be a SCAC/],
      [`${ports}&carier=HRNL`, /^query has no carier: there are origin, destination, from/],
      [`${ports}&include_cancelled=yes`, /^query\.include_cancelled/],
      [`${ports}&limit=101`, /^query\.limit/],
      [`${ports}&cursor=x`, /^query\.cursor must be/],
      [`${ports}&cursor=${Buffer.from('[1e99,"",""]').toString("base64url")}`, /^query\.cursor must be/],
    ] as const) {
      const { status, body } = await service.ask(`/sailings?${asked}`);
      assert.deepEqual([status, body.ok, body.error.code], [400, false, "INVALID_REQUEST"], asked);
      assert.match(body.error.message, message);
    }
    assert.deepEqual((await search("&from=9999-12-31")).data, []);
    assert.deepEqual((await search("&from=1970-01-01&to=1970-04-02")).data, []);
  });
});

test("the public routes count requests by address", async (context) => {
  const service = await startSchedulesService({ requestsPerAddressMax: 4, trustProxy: ["127.0.0.1"] });
  context.after(() => service.close());
  const paths = [
    "/sailings?origin=JPYOK&destination=USOAK",
    "/port-calls?port=JPYOK",
    "/vessels/9321483",
    "/reliability",
  ];
  for (const path of paths) assert.ok((await service.ask(path)).headers["ratelimit"], path);
  for (const path of paths) {
    const { status, body } = await service.ask(path);
    assert.deepEqual([status, body.error.code], [429, "RATE_LIMITED"]);
  }
  assert.equal((await service.ask(paths[0]!, "198.51.100.2")).status, 200);
});
