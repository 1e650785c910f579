/** `GET /schedules/public/port-calls`, `/vessels/{imo}` and `/reliability` (spec 5; docs/schedules.md). */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { HOUR_MS, said } from "../schedules/statements.ts";
import { ofSuite } from "../support/suite.ts";
import { assertDocumented } from "../support/answers.ts";
import { query } from "../support/database.ts";
import { callOn, DUSK, onDay, startSchedulesService } from "./schedules-service.ts";
import { column } from "../support/columns.ts";

type Shown = Readonly<Record<string, unknown>>;

describe("calls, vessels and reliability", () => {
  const service = ofSuite(() => startSchedulesService());
  beforeEach(() => service.clear());

  const read = async (path: string) => {
    const { status, body } = await service.ask(path);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const refused = async (path: string, code = "INVALID_REQUEST") => {
    const { status, body } = await service.ask(path);
    assert.deepEqual(
      [status, body.ok, body.error.code],
      [code === "NOT_FOUND" ? 404 : 400, false, code],
      path,
    );
    return body.error.message as string;
  };

  test("the ports are listed that vessels will leave, with their next departures", async () => {
    await service.say([
      callOn("NLRTM", 9, { departure: { estimated: onDay(11) } }),
      callOn("NLRTM", 5, {
        vessel: DUSK,
        voyage: { import: "2E", export: "2E" },
        departure: { planned: onDay(6) },
      }),
      callOn("DEHAM", 4, { departure: { planned: onDay(-3) } }),
      callOn("CNSHA", 4, { carrier: "TRNC", departure: { planned: onDay(5) } }),
    ]);
    assert.deepEqual((await read("/ports")).data, [
      { port: "CNSHA", name: "Shanghai", next_departure: new Date(onDay(5)).toISOString() },
      { port: "NLRTM", name: "Rotterdam", next_departure: new Date(onDay(6)).toISOString() },
    ]);
  });

  test("the time of a call that was known first stays, however it moves", async () => {
    const departing = (estimated: number) =>
      service.say([callOn("NLRTM", 3, { departure: { planned: onDay(9), estimated: onDay(estimated) } })]);
    for (const day of [9, 10, 12]) await departing(day);
    const [call] = (await read("/port-calls?port=NLRTM")).data;
    const { first, estimated } = call.departure;
    assert.deepEqual(
      [first, estimated],
      [onDay(9), onDay(12)].map((ms) => new Date(ms).toISOString()),
    );
    assert.equal(call.arrival.first, call.arrival.planned ?? call.arrival.estimated);
  });

  test("a port's calls are listed by arrival or by departure, and filtered", async () => {
    await service.say([
      callOn("NLRTM", 3, { departure: { estimated: onDay(9) } }),
      callOn("NLRTM", 5, { vessel: DUSK, voyage: { import: "2E", export: "2E" } }),
      callOn("NLRTM", 6, { carrier: "TRNC", voyage: { import: "3E", export: "3E" } }),
      callOn("NLRTM", 7, { voyage: { import: "4E", export: "4E" }, status: "OMIT" }),
      callOn("DEHAM", 4),
    ]);
    const voyages = async (more = "") => column((await read(`/port-calls?port=nlrtm${more}`)).data, "voyage");
    for (const [more, expected] of [
      ["", ["014E", "2E", "3E"]],
      ["&kind=departure", ["2E", "3E", "014E"]],
      ["&carrier=trnc", ["3E"]],
      ["&vessel=IMO%209321495", ["2E"]],
      ["&include_cancelled=true", ["014E", "2E", "3E", "4E"]],
      ["&from=2026-11-07&to=2026-11-07", ["2E"]],
    ] as const) {
      assert.deepEqual(await voyages(more), expected, more);
    }
    for (const kind of ["arrival", "departure"]) {
      const whole = await voyages(`&kind=${kind}`);
      const first = await read(`/port-calls?port=NLRTM&limit=2&kind=${kind}`);
      const second = await read(`/port-calls?port=NLRTM&limit=2&kind=${kind}&cursor=${first.next_cursor}`);
      assert.deepEqual(column([...first.data, ...second.data], "voyage"), whole);
      assert.equal(second.next_cursor, undefined);
      const other = kind === "arrival" ? "departure" : "arrival";
      for (const asked of [`port=CNSHA&kind=${kind}`, `port=NLRTM&kind=${other}`]) {
        const answer = await refused(`/port-calls?${asked}&limit=2&cursor=${first.next_cursor}`);
        assert.match(answer, /^query\.cursor must be what an answer to the same query gave/);
      }
    }
  });

  test("a call says when it comes and leaves, and how it stands", async () => {
    await service.say([
      said({
        port: "NLRTM",
        arrival: { planned: onDay(1), actual: onDay(1) + HOUR_MS },
        departure: { estimated: onDay(2) },
        cutOffs: { ECP: onDay(0) },
      }),
    ]);
    const { data } = await read("/port-calls?port=NLRTM");
    const [{ arrival, departure, status, cut_offs }] = data;
    assert.deepEqual(arrival, {
      planned: "2026-11-03T12:00:00.000Z",
      estimated: null,
      actual: "2026-11-03T13:00:00.000Z",
      first: "2026-11-03T12:00:00.000Z",
      event_date_time: "2026-11-03T13:00:00.000Z",
      event_local_datetime: "2026-11-03T14:00:00",
      utc_offset_minutes: 60,
      event_timezone: "Europe/Amsterdam",
    });
    assert.deepEqual([departure.actual, departure.event_date_time], [null, "2026-11-04T12:00:00.000Z"]);
    assert.equal(status, "arrived");
    assert.deepEqual([cut_offs[0].code, cut_offs[0].name], ["ECP", null]);
  });

  test("a vessel tells where it has been, where it is, and where it goes next", async () => {
    const leg = (port: string, day: number) => callOn(port, day);
    await service.say([
      ...Array.from({ length: 12 }, (_, nth) => leg("KRPUS", -40 + nth * 2)),
      said({ port: "JPYOK", arrival: { actual: onDay(-1) }, departure: { estimated: onDay(1) } }),
      leg("USOAK", 12),
      { ...leg("USLAX", 14), status: "OMIT" },
      { ...leg("USSEA", 16), vessel: { imo: "9321483", name: "HERON DAWN II", isDummy: false } },
    ]);
    const { data } = await read("/vessels/9321483");
    assert.deepEqual([data.imo, data.name], ["9321483", "HERON DAWN II"]);
    const ports = (calls: readonly Shown[]) => calls.map(({ port }) => port);
    assert.equal(data.previous.length, 10);
    assert.equal(data.previous.at(-1).arrival.estimated, new Date(onDay(-18)).toISOString());
    assert.deepEqual([ports(data.current), ports(data.next)], [["JPYOK"], ["USOAK", "USSEA"]]);
    const all = await read("/vessels/imo9321483?include_cancelled=true");
    assert.deepEqual(ports(all.data.next), ["USOAK", "USLAX", "USSEA"]);
  });

  test("a number that is none, or none that is known, is refused as such", async () => {
    assert.match(await refused("/vessels/9321484"), /the check digit of 932148 is 3, not 4$/);
    assert.match(await refused("/vessels/HERON"), /^params\.imo must be an IMO number, seven digits/);
    assert.match(await refused("/vessels/9074729", "NOT_FOUND"), /9074729 is known here$/);
    assert.match(await refused("/port-calls?port=NLRTM&vessel=9321484"), /^query\.vessel must be an IMO/);
    assert.match(await refused("/port-calls"), /port/);
    assert.match(await refused("/port-calls?port=NLRTM&kind=stay"), /^query\.kind/);
    assert.match(await refused("/reliability?day=2026-02-30"), /^query\.day must be a day such as/);
    assert.match(
      await refused("/reliability?day=2027-01-01"),
      /^query\.day must be 2026-\d\d-\d\d or a day before it, not "2027-01-01"$/,
    );
    assert.match(await refused("/reliability?service=%00"), /^query\.service must be a service's code/);
    assert.match(await refused("/reliability?cursor=W10"), /^query\.cursor must be/);
  });

  test("reliability is of carriers and their services, on the last day worked out or any before", async () => {
    const nothing = await read("/reliability");
    assert.deepEqual(nothing.data, { day: null, window_days: 90, carriers: [], services: [] });
    const { schema } = service.test.productCells.of("schedules");
    await query(
      service.test.address,
      `insert into ${schema}.service_reliability values
         ('HRNL', 'HE1', '2026-11-01', 30, 42, 762), ('HRNL', 'HE2', '2026-11-01', 5, 9, null),
         ('TRNC', 'T1', '2026-11-01', 10, 10, 1000), ('HRNL', 'HE1', '2026-10-31', 31, 42, 762);
       insert into ${schema}.schedule_days (reliability_until) values ('2026-11-01')`,
    );
    const scored = (carrier: string, of: string, ...figures: readonly (number | null)[]) => {
      const [on_time_percent, calls, calls_on_time, reference_percent] = figures;
      return { carrier, service: of, on_time_percent, calls, calls_on_time, reference_percent };
    };
    const [one, two, tern] = [
      scored("HRNL", "HE1", 71.4, 42, 30, 76.2),
      scored("HRNL", "HE2", null, 9, 5, null),
      scored("TRNC", "T1", 100, 10, 10, 100),
    ];
    const carriers = [
      { carrier: "HRNL", on_time_percent: 68.6, calls: 51, calls_on_time: 35 },
      { carrier: "TRNC", on_time_percent: 100, calls: 10, calls_on_time: 10 },
    ];
    const { data } = await read("/reliability");
    assert.deepEqual(data, { day: "2026-11-01", window_days: 90, carriers, services: [one, two, tern] });
    const first = await read("/reliability?limit=2");
    const second = await read(`/reliability?limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual([...first.data.services, ...second.data.services], [one, two, tern]);
    assert.deepEqual([second.data.carriers, second.next_cursor], [carriers, undefined]);
    const filtered = await read("/reliability?carrier=hrnl&service=HE2");
    assert.deepEqual([filtered.data.carriers, filtered.data.services], [[carriers[0]], [two]]);
    const earlier = await read("/reliability?day=2026-10-31");
    assert.deepEqual([earlier.data.day, earlier.data.services[0].calls_on_time], ["2026-10-31", 31]);
    assert.deepEqual((await read("/reliability?day=2026-10-01")).data.services, []);
  });

  test("reliability has a trend by weeks where it is asked for, without the weeks that were not measured", async () => {
    const { schema } = service.test.productCells.of("schedules");
    await query(
      service.test.address,
      `insert into ${schema}.service_reliability values
         ('HRNL', 'HE1', '2026-11-01', 30, 42, 762), ('HRNL', 'HE1', '2026-10-31', 1, 42, 762),
         ('HRNL', 'HE1', '2026-10-25', 5, 9, null), ('HRNL', 'HE1', '2026-10-11', 8, 10, 800),
         ('HRNL', 'HE1', '2026-10-04', 10, 10, 1000), ('HRNL', 'HE2', '2026-11-01', 10, 10, 1000),
         ('TRNC', 'HE1', '2026-10-25', 10, 10, 1000), ('TRNC', 'HE1', '2026-11-01', 1, 10, 1000);
       insert into ${schema}.schedule_days (reliability_until) values ('2026-11-01')`,
    );
    type Scored = { readonly service: string; readonly trend?: readonly Shown[] };
    const trendsOf = async (path: string) =>
      ((await read(path)).data.services as readonly Scored[]).map(({ trend }) =>
        trend?.map((one) => [one["day"], one["on_time_percent"]]),
      );
    assert.deepEqual(await trendsOf("/reliability?weeks=4"), [
      [
        ["2026-10-11", 80],
        ["2026-10-25", null],
        ["2026-11-01", 71.4],
      ],
      [["2026-11-01", 100]],
      [
        ["2026-10-25", 100],
        ["2026-11-01", 10],
      ],
    ]);
    assert.deepEqual(await trendsOf("/reliability?weeks=53&service=HE1&day=2026-10-25"), [
      [
        ["2026-10-04", 100],
        ["2026-10-11", 80],
        ["2026-10-25", null],
      ],
      [["2026-10-25", 100]],
    ]);
    assert.deepEqual(await trendsOf("/reliability?limit=1"), [undefined]);
    for (const weeks of ["1", "54", "x"]) assert.match(await refused(`/reliability?weeks=${weeks}`), /weeks/);
  });

  test("what is answered is what the document says", async () => {
    await service.say([callOn("JPYOK", 2, { cutOffs: { FCO: onDay(1) } }), callOn("USOAK", 12)]);
    await service.say([callOn("JPYOK", 2, { cutOffs: { FCO: onDay(1) }, vessel: DUSK })]);
    const { id } = (await read("/port-calls?port=JPYOK")).data[0];
    for (const [path, asked] of [
      ["/public/sailings", "/sailings?origin=JPYOK&destination=USOAK"],
      ["/public/connections", "/connections?origin=JPYOK&destination=USOAK"],
      ["/public/ports", "/ports"],
      ["/public/port-calls", "/port-calls?port=JPYOK"],
      ["/public/port-calls/{id}/history", `/port-calls/${id}/history`],
      ["/public/vessels/{imo}", "/vessels/9321483"],
      ["/public/reliability", "/reliability"],
    ] as const) {
      await assertDocumented(service, "schedules", `GET ${path}`, await service.ask(asked));
    }
  });
});

describe("what has changed about a call", () => {
  const service = ofSuite(() => startSchedulesService());

  test("is shown change by change: times, cut-offs, vessel, terminal and status", async () => {
    const say = (more: Parameters<typeof callOn>[2]) =>
      service.say([callOn("NLRTM", 3, { departure: { planned: onDay(9) }, ...more })]);
    const text = (day: number, hours = 0) => new Date(onDay(day) + hours * HOUR_MS).toISOString();
    const cutOff = (day: number) => ({ FCO: onDay(day) });
    await say({ cutOffs: cutOff(7) });
    const [listed] = (await service.ask("/port-calls?port=NLRTM&kind=departure")).body.data;
    const path = `/port-calls/${listed.id}/history`;
    const untouched = (await service.ask(path)).body.data;
    assert.deepEqual([untouched.changes, untouched.id, untouched.port], [[], listed.id, "NLRTM"]);
    assert.equal(untouched.first_seen_at, new Date(service.clock.nowMs()).toISOString());

    const changed: string[] = [];
    const later = async (more: Parameters<typeof callOn>[2]) => {
      await service.clock.advance(HOUR_MS);
      changed.push(new Date(service.clock.nowMs()).toISOString());
      await say(more);
    };
    const estimated = (day: number) => ({ planned: onDay(9), estimated: onDay(day) });
    await later({ departure: estimated(10), cutOffs: cutOff(8) });
    await later({ departure: estimated(8), vessel: DUSK, terminal: "RTM2", cutOffs: cutOff(8) });
    await later({ departure: estimated(8), vessel: DUSK, terminal: "RTM2", status: "OMIT", cutOffs: {} });
    const { changes, status } = (await service.ask(path)).body.data;
    assert.equal(status, "omitted");
    const row = (nth: number, field: string, from: unknown, to: unknown, hours: number | null = null) => ({
      changed_at: changed[nth],
      field,
      from,
      to,
      shift_hours: hours,
    });
    assert.deepEqual(changes, [
      row(0, "cut_offs.FCO", text(7), text(8), 24),
      row(0, "departure.estimated", null, text(10)),
      row(1, "departure.estimated", text(10), text(8), -48),
      row(1, "terminal", listed.terminal, "RTM2"),
      row(1, "vessel_imo", listed.vessel_imo, DUSK.imo),
      row(1, "vessel_name", listed.vessel_name, DUSK.name),
      row(2, "cut_offs.FCO", text(8), null),
      row(2, "status_code", null, "OMIT"),
    ]);

    for (const id of ["01a1f3c2-7c1e-7b3a-9c55-3f1f0a5d2b10", "no-id"]) {
      const { status: refused, body } = await service.ask(`/port-calls/${id}/history`);
      assert.deepEqual([refused, body.error.code], [404, "NOT_FOUND"]);
    }
  });
});
