/** `GET /schedules/public/port-calls/{id}/history` (docs/schedules.md). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { HOUR_MS } from "../schedules/statements.ts";
import { callOn, DUSK, onDay, startSchedulesService } from "./schedules-service.ts";
import { ofSuite } from "../support/suite.ts";

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
