/** Searching the public routes of schedules: days, pages, mistakes, and how often (spec 5, 8). */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { DAY_MS, said } from "../schedules/statements.ts";
import { callOn, DUSK, startSchedulesService } from "./schedules-service.ts";
import { allPages } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";

describe("a search for sailings", () => {
  const service = ofSuite(() => startSchedulesService());
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
    const seen = await allPages((cursor) =>
      service.ask(`/sailings?origin=JPYOK&destination=USOAK&limit=2${cursor}`),
    );
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
