/** The changelog's files, and what an announcement says of an entry (spec 6.5). */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { loadChangelog, readChangelog } from "../../src/freight/announcements/changelog.ts";
import { type ChangelogEntry, announcementOf } from "../../src/freight/announcements/entry.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { ocean } from "../../src/products/ocean/product.ts";
import { baseUrlOf } from "../../src/freight/announcements/running.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";
import { entryOn, PUBLICATION } from "./entries.ts";
import { column } from "../support/columns.ts";

const fileOf = (entry: object, name = `${(entry as ChangelogEntry).id}.json`) => ({
  name,
  text: JSON.stringify(entry),
});
const read = (...entries: object[]) =>
  readChangelog(
    entries.map((entry) => fileOf(entry)),
    [],
  );

test("the files of the project are right, and every announcement of them is what the catalogue says", () => {
  const changelog = loadChangelog(ocean.changelog!, ocean.versions);
  assert.deepEqual(column(changelog, "id"), [
    "2026-06-01-first-version",
    "2026-08-19-identifier-type",
    "2026-11-23-endpoint-health",
    "2026-11-27-summary",
    "2026-11-28-deliveries-of-events",
    "2026-11-30-account-of-a-session",
  ]);
  const check = createEventDataCheck(products);
  for (const entry of changelog) {
    const data = announcementOf(entry, PUBLICATION);
    assert.deepEqual(check("tracking", "api_change_announced", data), { ok: true });
  }
});

// spec 6.5: notice_days, id, type, axis, title, detail, announced_at, effective_at, surfaces, endpoints
// spec 6.5: carriers, parser_versions, api_version, action_required, action_detail, oldest_supported_version
// spec 6.5: latest_version, changelog_url, versions_url
test("an announcement has every field of the specification when all apply", () => {
  const entry = entryOn("2026-02-27", {
    effective_at: "2026-03-02",
    carriers: ["HRNL"],
    parser_versions: ["dcsa-2.2"],
    api_version: "2026-08-19",
    action_required: true,
    action_detail: "Read the new field.",
  });
  assert.deepEqual(announcementOf(entry, PUBLICATION), {
    notice_days: 3,
    ...entry,
    oldest_supported_version: "2026-06-01",
    latest_version: "2026-08-19",
    changelog_url: "https://api.example.com/tracking/changelog.json",
    versions_url: "https://api.example.com/tracking/versions.json",
  });
});

// spec 6.5: carriers, parser_versions, api_version, action_detail, notice_days
test("what does not apply is absent, not null, and no notice is 0 days", () => {
  const said = JSON.parse(JSON.stringify(announcementOf(entryOn("2026-11-02"), PUBLICATION))) as object;
  for (const name of ["carriers", "parser_versions", "api_version", "action_detail"]) {
    assert.ok(!(name in said), name);
  }
  assert.equal((said as { notice_days: number }).notice_days, 0);
});

test("entries are in the order of their announcement, whatever their files are called", () => {
  const days = ["2026-03-01", "2026-01-01", "2026-02-01"];
  const entries = days.map((day, index) => entryOn(day, { id: `entry-${index}` }));
  assert.deepEqual(
    read(...entries).map((entry) => entry.announced_at),
    days.toSorted(),
  );
});

const ENTRY = entryOn("2026-11-02");

test("an entry that is wrong is refused, by the name of its file", () => {
  for (const [wrong, message] of [
    [{ ...ENTRY, title: undefined }, /2026-11-02-entry\.json.*lacks title/],
    [{ ...ENTRY, notice_days: 3 }, /has no notice_days/],
    [{ ...ENTRY, effective_at: "2026-11-31" }, /effective_at/],
    [{ ...ENTRY, carriers: null }, /carriers/],
    [{ ...ENTRY, carriers: [] }, /carriers/],
    [{ ...ENTRY, effective_at: "2026-11-01" }, /before announced_at/],
    [{ ...ENTRY, action_required: true }, /action_detail must be there/],
    [{ ...ENTRY, action_detail: "Nothing." }, /action_detail must be there/],
  ] as const)
    assert.throws(() => read(wrong), message);
  assert.throws(
    () => readChangelog([fileOf(ENTRY, "other.json")], []),
    /must be called 2026-11-02-entry\.json/,
  );
  assert.throws(() => readChangelog([{ name: "a.json", text: "{" }], []), /a\.json/);
});

test("a wrong folder or file stops the start with its reason", () => {
  const folder = mkdtempSync(join(tmpdir(), "changelog-"));
  const file = join(folder, "a.json");
  const reason = (message: RegExp): void =>
    assert.throws(
      () => loadChangelog(folder, []),
      (error) => error instanceof StartupError && message.test(error.message),
    );
  try {
    writeFileSync(file, "{");
    reason(/^The changelog is wrong: a\.json: .*\.$/);
    writeFileSync(file, Buffer.from('{"title": "M\xfc"}', "latin1"));
    reason(/^The changelog cannot be read: a\.json is not valid UTF-8/);
    rmSync(file);
    mkdirSync(file);
    reason(/^The changelog cannot be read: EISDIR/);
  } finally {
    rmSync(folder, { recursive: true });
  }
  reason(/^The changelog cannot be read: ENOENT/);
});

test("a version that no entry introduces, and an entry of a version that never was, are refused", () => {
  assert.throws(() => readChangelog([], ["2026-06-01"]), /no entry introduces the version 2026-06-01/);
  const strange = entryOn("2026-11-02", { api_version: "2026-01-01" });
  assert.throws(() => readChangelog([fileOf(strange)], ["2026-06-01"]), /there is no version 2026-01-01/);
});

test("the address that announcements name is the one that is set, the product's host, or the listener's", () => {
  const listen = { host: "::1", port: 8080 };
  const hosts = new Map([
    ["air.example.com", "air"],
    ["hooks.example.com", "tracking"],
  ]);
  const publicUrl = "https://api.example.com/freight";
  assert.equal(baseUrlOf("tracking", { publicUrl, hosts, listen }), `${publicUrl}/tracking`);
  assert.equal(baseUrlOf("tracking", { publicUrl: null, hosts, listen }), "https://hooks.example.com");
  assert.equal(baseUrlOf("tracking", { publicUrl: null, hosts: null, listen }), "http://[::1]:8080/tracking");
});
