import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { portOf, type Port } from "../../src/freight/places/ports.ts";
import { sharedPath } from "../support/shared.ts";

const TABLE = join(import.meta.dirname, "../../src/freight/places/ports.csv");

function everyPort(): readonly Port[] {
  const codes = readFileSync(TABLE, "utf8").trim().split("\n").slice(1);
  return codes.map((row) => {
    const port = portOf(row.slice(0, 5));
    assert.ok(port, row);
    return port;
  });
}

test("a port has its name, its country, its point and its zone", () =>
  assert.deepEqual(portOf("NLRTM"), {
    unlocode: "NLRTM",
    name: "Rotterdam",
    country: "NL",
    latitude: 51.904,
    longitude: 4.442,
    timeZone: "Europe/Amsterdam",
  }));

test("a code that is not in the table is nobody's fault, and has no zone", () => {
  for (const code of ["QQCTX", "XYABC", "", "nlrtm", "NLRTM "]) assert.equal(portOf(code), null);
});

test("every row is well-formed, on the globe, once, and in a zone that Temporal knows", () => {
  const ports = everyPort();
  assert.ok(ports.length >= 600, String(ports.length));
  assert.equal(new Set(ports.map(({ unlocode }) => unlocode)).size, ports.length);
  const instant = Temporal.Instant.from("2026-11-21T00:00Z");
  for (const port of ports) {
    assert.match(port.unlocode, /^[A-Z]{2}[A-Z2-9]{3}$/);
    assert.equal(port.name, port.name.trim());
    assert.notEqual(port.name, "");
    assert.ok(Math.abs(port.latitude) <= 90 && Math.abs(port.longitude) <= 180, port.unlocode);
    assert.match(port.timeZone, /^[A-Z][A-Za-z]+\/[A-Za-z_/-]+$/);
    assert.equal(instant.toZonedDateTimeISO(port.timeZone).timeZoneId, port.timeZone);
  }
});

test("the clock of a port runs within the hours that its longitude allows", () => {
  // Politics moves clocks from the sun by some hours: China's west and Kiribati are the farthest.
  const winter = Temporal.Instant.from("2026-01-15T00:00Z");
  for (const { unlocode, longitude, timeZone } of everyPort()) {
    const hours = winter.toZonedDateTimeISO(timeZone).offsetNanoseconds / 3.6e12;
    const away = Math.abs(((hours - longitude / 15 + 36) % 24) - 12);
    assert.ok(away <= 3.2, `${unlocode} at ${longitude}° in ${timeZone}`);
  }
});

test("ports all over the world are in the zones that a map shows", () => {
  const zones = `
    AEJEA Asia/Dubai, ARUSH America/Argentina/Ushuaia, AUDRW Australia/Darwin, AUFRE Australia/Perth,
    AUSYD Australia/Sydney, BRMAO America/Manaus, BRSSZ America/Sao_Paulo, CASJB America/Moncton,
    CASJF America/St_Johns, CAVAN America/Vancouver, CLPUQ America/Punta_Arenas,
    CLSAI America/Santiago, CNSHA Asia/Shanghai, CNTAO Asia/Shanghai, CNYTN Asia/Shanghai,
    DEHAM Europe/Berlin, EGPSD Africa/Cairo, ESLPA Atlantic/Canary, ESVLC Europe/Madrid,
    FRPAR Europe/Paris, GBFXT Europe/London, IDJKT Asia/Jakarta, IDSUB Asia/Jakarta,
    INNSA Asia/Kolkata, JPYOK Asia/Tokyo, LKCMB Asia/Colombo, MACAS Africa/Casablanca,
    MXESE America/Tijuana, MXMZT America/Mazatlan, MXZLO America/Mexico_City,
    MYTPP Asia/Kuala_Lumpur, NLRTM Europe/Amsterdam, NZAKL Pacific/Auckland, PTFNC Atlantic/Madeira,
    RUVVO Asia/Vladivostok, SGSIN Asia/Singapore, TRAMB Europe/Istanbul, USCHI America/Chicago,
    USDEN America/Denver, USHNL Pacific/Honolulu, USLAX America/Los_Angeles, USNYC America/New_York,
    USPHX America/Phoenix, VNHPH Asia/Ho_Chi_Minh, ZADUR Africa/Johannesburg`;
  for (const pair of zones.split(",")) {
    const [unlocode = "", zone] = pair.trim().split(" ");
    assert.equal(portOf(unlocode)?.timeZone, zone, unlocode);
  }
});

test("places that the lists disagreed on are where they are", () => {
  const points: Readonly<Record<string, readonly [number, number]>> = {
    CNYTN: [22.6, 114.3],
    CASJF: [47.6, -52.7],
    BRITQ: [-2.6, -44.4],
    PAMIT: [9.4, -79.9],
  };
  for (const [unlocode, [latitude, longitude]] of Object.entries(points)) {
    const port = portOf(unlocode);
    assert.ok(
      Math.hypot((port?.latitude ?? 0) - latitude, (port?.longitude ?? 0) - longitude) < 0.2,
      unlocode,
    );
  }
});

const codes = sharedPath("reference/dcsa-unlocationcodes.csv");

test(
  "the ports of DCSA's list are known",
  { skip: codes === null ? "DCSA's list is not beside the project" : false },
  () => {
    const rows = readFileSync(codes ?? "", "utf8")
      .trim()
      .split(/\r?\n/)
      .slice(1);
    const unknown = rows.map((row) => row.slice(0, 5)).filter((code) => portOf(code) === null);
    // A quay on the Paraná that neither source has and no line calls at.
    assert.deepEqual(unknown, ["ARLPS"]);
  },
);

const samples = sharedPath("samples/ocean");

test(
  "every place that recorded answers name is known",
  { skip: samples === null ? "the recorded answers are not beside the project" : false },
  () => {
    const named = globSync("recorded/*.json", { cwd: samples ?? "" })
      .map((file) => readFileSync(join(samples ?? "", file), "utf8"))
      .flatMap((text) => [...text.matchAll(/"(?:UNLocationCode|locationCode)"\s*:\s*"([A-Z0-9]{5})"/g)])
      .map(([, code = ""]) => code);
    assert.ok(named.length > 10);
    assert.deepEqual(
      [...new Set(named)].filter((code) => portOf(code) === null),
      [],
    );
  },
);
