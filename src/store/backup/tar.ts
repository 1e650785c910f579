/**
 * A backup's form: a plain tar (POSIX ustar) of files and folders, as PostgreSQL writes it, whose last entry is the SHA-256
 * of all before it. The reader is strict: what it does not refuse, it has checked.
 */
import { createHash, type Hash } from "node:crypto";
import { readSync } from "node:fs";

import { StartupError } from "../../runtime/startup-error.ts";

export type Entry = {
  /** Relative, of plain segments: no `..`, no empty one. */
  readonly name: string;
  readonly kind: "file" | "folder";
  readonly bytes: number;
};

/** What becomes of an entry's bytes: `take` copies what it keeps. */
export type EntrySink = { take(bytes: Buffer): void; end(): void };

const BLOCK_BYTES = 512;
/** Two blocks of zeros end a tar. */
export const TERMINATOR = Buffer.alloc(2 * BLOCK_BYTES);
const READ_BYTES_MAX = 1 << 20;
const NAME_BYTES_MAX = 100;
const CHECKSUM_NAME = "boathook-backup/sha256";

/** Where the fields of a header begin, and how long they are. */
const FIELDS = {
  name: [0, NAME_BYTES_MAX],
  mode: [100, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  prefix: [345, 155],
} as const;

/** A file's header, bytes and padding. */
export function fileEntry(name: string, bytes: Buffer, atMs: number): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const put = (field: keyof typeof FIELDS, text: string) => header.write(text, FIELDS[field][0], "latin1");
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  put("name", name);
  put("mode", octal(0o600, 7));
  put("size", octal(bytes.length, 11));
  put("mtime", octal(Math.floor(atMs / 1000), 11));
  put("type", "0");
  put("magic", "ustar\u000000");
  put("checksum", `${octal(checksumOf(header), 6)}\0 `);
  return Buffer.concat([header, bytes, Buffer.alloc(paddingOf(bytes.length))]);
}

/** What ends an archive whose entries before have this hash. */
export function checksumEntry(hash: Hash, atMs: number): Buffer {
  return Buffer.concat([fileEntry(CHECKSUM_NAME, Buffer.from(hash.digest("hex")), atMs), TERMINATOR]);
}

/** Reads the open file from its beginning to its end. Throws `StartupError` unless it is whole; by then sinks have its bytes. */
export function readArchive(file: number, onEntry: (entry: Entry) => EntrySink): void {
  const hash = createHash("sha256");
  let position = 0;
  const buffer = Buffer.alloc(READ_BYTES_MAX);
  const read = (bytes: number) => {
    const chunk = buffer.subarray(0, bytes);
    fill(chunk, file, position);
    position += bytes;
    return chunk;
  };
  for (;;) {
    const header = read(BLOCK_BYTES);
    const entry = entryOf(header);
    if (entry.name === CHECKSUM_NAME) {
      const digest = Buffer.from(hash.digest("hex"));
      const end = fileEntry(CHECKSUM_NAME, digest, 0).subarray(BLOCK_BYTES);
      const isRight = entry.bytes === digest.length && read(end.length).equals(end);
      if (isRight && read(TERMINATOR.length).equals(TERMINATOR) && isAtEnd(file, position)) return;
      throw damaged("its checksum does not match");
    }
    hash.update(header);
    const sink = onEntry(entry);
    for (let left = entry.bytes; left > 0;) {
      const chunk = read(Math.min(left, READ_BYTES_MAX));
      hash.update(chunk);
      sink.take(chunk);
      left -= chunk.length;
    }
    sink.end();
    hash.update(read(paddingOf(entry.bytes)));
  }
}

function entryOf(header: Buffer): Entry {
  const field = (name: keyof typeof FIELDS) => {
    const [start, length] = FIELDS[name];
    const bytes = header.subarray(start, start + length);
    const end = bytes.indexOf(0);
    return end === -1 ? bytes : bytes.subarray(0, end);
  };
  const number = (name: "size" | "checksum") => {
    const [start, length] = FIELDS[name];
    // From 8 GiB on, where octal digits do not suffice: GNU's binary form.
    if (header[start] === 0x80) return header.readUIntBE(start + length - 6, 6);
    const text = field(name).toString("latin1").trim();
    return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
  };
  if (!field("magic").equals(Buffer.from("ustar"))) throw notOurs();
  if (number("checksum") !== checksumOf(header)) throw damaged("the header of an entry is wrong");
  const name = nameOf(field("name"));
  const type = field("type").toString("latin1");
  const bytes = number("size");
  const isSound = Number.isSafeInteger(bytes) && field("prefix").length === 0;
  if (isSound && type === "0") return { name, kind: "file", bytes };
  if (isSound && type === "5" && bytes === 0) return { name, kind: "folder", bytes };
  throw damaged(`${JSON.stringify(name)} is neither a plain file nor a folder`);
}

/** PostgreSQL begins some names with `./`, and ends those of folders with `/`. */
function nameOf(field: Buffer): string {
  const text = field.toString("utf8");
  const name = text.replace(/^\.\//, "").replace(/\/$/, "");
  const isPlain = name.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
  // oxlint-disable-next-line no-control-regex -- that is what they are looked for
  if (isPlain && !/[\u0000-\u001f\u007f\ufffd]/.test(name)) return name;
  throw damaged(`it has an entry with the name ${JSON.stringify(text)}`);
}

/** The sum of a header's bytes, those of the sum itself taken for spaces. */
function checksumOf(header: Buffer): number {
  const [start, length] = FIELDS.checksum;
  return header.reduce(
    (sum, byte, index) => sum + (index >= start && index < start + length ? 0x20 : byte),
    0,
  );
}

function paddingOf(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

function fill(chunk: Buffer, file: number, position: number): void {
  for (let filled = 0; filled < chunk.length;) {
    const count = readSync(file, chunk, filled, chunk.length - filled, position + filled);
    if (count === 0) throw position === 0 ? notOurs() : damaged("it ends too early");
    filled += count;
  }
}

function isAtEnd(file: number, position: number): boolean {
  return readSync(file, Buffer.alloc(1), 0, 1, position) === 0;
}

export function notOurs(): StartupError {
  return new StartupError(
    "This file is no backup of Boathook. If it is compressed or encrypted, undo that first.",
  );
}

export function damaged(how: string): StartupError {
  return new StartupError(`This backup is damaged: ${how}. Nothing of it is restored.`);
}
