/** What is restored of files that are no backups, that are damaged, or that somebody made to do harm: nothing. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import fc from "fast-check";

import { products } from "../../src/products/index.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";
import { restoreBackup } from "../../src/store/backup/restore-backup.ts";
import { checksumEntry, fileEntry } from "../../src/store/backup/tar.ts";
import { forAll, runs } from "../support/runs.ts";

const BLOCK_BYTES = 512;
const HERE = { boathook: "0.1.0", postgresql: 18, platform: "linux-x64", products };
const MANIFEST = {
  ...{ format: 1, boathook: "0.1.0", postgresql: 18, platform: "linux-x64", secrets: ["master.key"] },
  ...{ taken_at: "2026-11-22T10:00:00.000Z", migrations: ["migrations/001_directory"] },
};

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "boathook-archives-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A header changed in some bytes, with the right sum again. */
function changed(entry: Buffer, changes: Readonly<Record<number, string>>): Buffer {
  const header = Buffer.from(entry);
  for (const [at, text] of Object.entries(changes)) header.write(text, Number(at), "latin1");
  header.write("        ", 148, "latin1");
  const sum = header.subarray(0, BLOCK_BYTES).reduce((one, other) => one + other, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

const file = (name: string, text = "x") => fileEntry(name, Buffer.from(text), 0);
const folder = (name: string) => changed(file(name, ""), { 156: "5" });

function archive(entries: readonly Buffer[], manifest: object = MANIFEST): Buffer {
  const all = Buffer.concat([file("boathook-backup/manifest.json", JSON.stringify(manifest)), ...entries]);
  return Buffer.concat([all, checksumEntry(createHash("sha256").update(all), 0)]);
}

const DATABASE = [
  file("boathook-backup/master.key", "the key"),
  file("backup_label"),
  folder("base/"),
  folder("./base/1"),
  file("base/1/1259", "rows".repeat(400)),
  file(".s.PGSQL.5432.lock"),
  file("PG_VERSION", "18\n"),
  folder("global/"),
  file("global/pg_control"),
];
const WHOLE = archive(DATABASE);

/** Restores the bytes below `parent`. */
function restore(parent: string, bytes: Buffer, dataFolder: string | null = join(parent, "data")) {
  writeFileSync(join(parent, "backup.tar"), bytes);
  const secretFiles = ["master.key", "operator.token"];
  const source = { file: join(parent, "backup.tar"), secretFiles, here: HERE, host: { uid: null } };
  return restoreBackup({ ...source, dataFolder });
}

function assertRefused(parent: string, bytes: Buffer, message: RegExp, what?: string): void {
  assert.throws(
    () => restore(parent, bytes),
    (error) => error instanceof StartupError && message.test(error.message),
    what,
  );
  assert.deepEqual(readdirSync(parent), ["backup.tar"], "nothing is written");
}

test("a backup becomes a data folder, for its owner alone, without what belongs to the machine it was made on", (t) => {
  const parent = folderOf(t);
  assert.equal(restore(parent, WHOLE, null).boathook, "0.1.0");
  assert.deepEqual(readdirSync(parent), ["backup.tar"], "verified only");
  restore(parent, WHOLE);
  const data = join(parent, "data");
  assert.deepEqual(readdirSync(data).toSorted(), ["master.key", "postgres"]);
  assert.deepEqual(readdirSync(join(data, "postgres"), { recursive: true, encoding: "utf8" }).toSorted(), [
    ...["PG_VERSION", "backup_label", "base", "base/1", "base/1/1259", "global", "global/pg_control"],
  ]);
  assert.equal(readFileSync(join(data, "postgres/base/1/1259"), "utf8"), "rows".repeat(400));
  assert.equal(readFileSync(join(data, "master.key"), "utf8"), "the key");
  for (const [path, mode] of [
    ["master.key", 0o600],
    ["postgres", 0o700],
    ["postgres/base/1", 0o700],
    ["postgres/base/1/1259", 0o600],
  ] as const) {
    assert.equal(statSync(join(data, path)).mode & 0o777, mode, path);
  }
});

test("a folder with anything in it is left as it is, but for a file system's own and what was compiled", (t) => {
  const parent = folderOf(t);
  const data = join(parent, "data");
  mkdirSync(data);
  writeFileSync(join(data, "master.key"), "another");
  assert.throws(() => restore(parent, WHOLE), /is not empty \(master\.key\)/);
  assert.equal(readFileSync(join(data, "master.key"), "utf8"), "another");
  assert.deepEqual(readdirSync(data), ["master.key"]);
  rmSync(join(data, "master.key"));
  for (const harmless of ["lost+found", "compiled"]) mkdirSync(join(data, harmless));
  restore(parent, WHOLE);
  assert.ok(existsSync(join(data, "postgres", "PG_VERSION")));
});

test("a backup cut short anywhere, or with any bit changed, is refused", (t) => {
  const parent = folderOf(t);
  const refused = /damaged|is no backup of Boathook|newer Boathook/;
  for (let length = 0; length < WHOLE.length; length += 128) {
    assertRefused(parent, WHOLE.subarray(0, length), refused, `cut at ${length}`);
  }
  assertRefused(parent, Buffer.concat([WHOLE, Buffer.from("x")]), refused, "longer");
  forAll(runs(300), fc.nat(WHOLE.length - 1), fc.nat(7), (at, bit) => {
    const flipped = Buffer.from(WHOLE);
    flipped[at]! ^= 1 << bit;
    assertRefused(parent, flipped, refused, `bit ${bit} of byte ${at}`);
  });
});

test("files that are no backups are refused", (t) => {
  const parent = folderOf(t);
  const others = {
    "an empty file": Buffer.alloc(0),
    zeros: Buffer.alloc(4_096),
    text: Buffer.from("a shopping list\n".repeat(100)),
    "another tar": Buffer.concat([file("etc/passwd"), Buffer.alloc(1_024)]),
    "a gzip": Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), Buffer.alloc(2_000)]),
  };
  for (const [what, bytes] of Object.entries(others))
    assertRefused(parent, bytes, /is no backup of Boathook\. If it is compressed/, what);
  assert.throws(
    () => restore(parent, WHOLE, join(parent, "backup.tar", "in")),
    /cannot be restored: ENOTDIR/,
  );
});

test("an archive that names places outside, links, devices or what no backup has is refused", (t) => {
  const parent = folderOf(t);
  const entries: readonly (readonly [what: string, entry: Buffer | readonly Buffer[]])[] = [
    ["a parent", file("../outside")],
    ["a parent below", file("base/../../outside")],
    ["an absolute path", file("/tmp/outside")],
    ["a path of the folder itself", file(".")],
    ["an empty segment", file("base//x")],
    ["a line break", file("base/a\nb")],
    ["a symbolic link", changed(file("base/link", ""), { 156: "2", 157: "/etc" })],
    ["a hard link", changed(file("base/link", ""), { 156: "1", 157: "../../master.key" })],
    ["a device", changed(file("base/null", ""), { 156: "3" })],
    ["a long name of GNU", changed(file("././@LongLink", "../x"), { 156: "L" })],
    ["a header of pax", changed(file("x", "10 path=/x\n"), { 156: "x" })],
    ["a prefix", changed(file("x"), { 345: "../.." })],
    ["a negative size", changed(file("x"), { 124: "-0000000001" })],
    ["more bytes than there are", changed(file("x"), { 124: "\u0080\0\0\0\0\0\0\u0003\0\0\0\0" })],
    ["a folder with bytes", changed(file("x"), { 156: "5" })],
    ["a name twice", [file("base/x"), file("base/x")]],
    ["a folder as a file", file("base")],
    ["a file as a folder", [file("base/x"), file("base/x/y")]],
    ["no folder", file("nowhere/x")],
    ["a secret twice", file("boathook-backup/master.key")],
    ["a secret that the manifest lacks", file("boathook-backup/operator.token")],
    ["an unknown file beside the manifest", file("boathook-backup/carriers.json")],
    ["a way out beside the manifest", file("boathook-backup/../master.key")],
    ["a second manifest", file("boathook-backup/manifest.json", JSON.stringify(MANIFEST))],
  ];
  for (const [what, entry] of entries)
    assertRefused(parent, archive([...DATABASE, entry].flat()), /^This backup is damaged/, what);
  assertRefused(parent, archive([]), /lacks PG_VERSION, backup_label, global\/pg_control/);
  for (const secret of ["../operator.token", "postgres"]) {
    const manifest = { ...MANIFEST, secrets: [secret] };
    const named = [file(`boathook-backup/${secret}`), ...DATABASE.slice(1)];
    assertRefused(parent, archive(named, manifest), /^This backup is damaged/, secret);
  }
});

test("a backup of another PostgreSQL, platform, or of a newer Boathook is refused by what differs", (t) => {
  const parent = folderOf(t);
  const manifests: readonly (readonly [change: object, message: RegExp])[] = [
    [{ postgresql: 19 }, /is of PostgreSQL 19 on linux-x64, and here is PostgreSQL 18 on linux-x64/],
    [{ platform: "darwin-arm64" }, /is of PostgreSQL 18 on darwin-arm64/],
    [
      { boathook: "2.0.0", migrations: ["migrations/001_directory", "migrations_air/999_later"] },
      /newer Boathook \(2\.0\.0; this is 0\.1\.0\): its database has migrations_air\/999_later/,
    ],
    [{ format: 2, boathook: "3.0.0", secrets: null }, /newer Boathook \(3\.0\.0\)/],
    [{ migrations: [1] }, /its manifest is not whole/],
    [{ format: 0 }, /its manifest is not whole/],
  ];
  for (const [change, message] of manifests)
    assertRefused(parent, archive(DATABASE, { ...MANIFEST, ...change }), message);
});
