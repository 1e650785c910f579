/** The name server of the drills' processes: it knows what a fault tells it, nothing else, and may fall silent. */
import { spawnSync } from "node:child_process";
import { createSocket, type RemoteInfo } from "node:dgram";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Tells the program that it has names of its own, and where. */
const MARK = "BOATHOOK_DRILL_NAMES";

/** What it answers: an IPv4 address for every name, null: there is no such name; or nothing. */
export const names: { answer: string | null; isSilent: boolean } = { answer: null, isSilent: false };

/** Runs this program again with a `resolv.conf` of its own; true in that one. */
export function hasOwnNames(): boolean {
  if (process.env[MARK] !== undefined) return true;
  const file = join(mkdtempSync(join(tmpdir(), "boathook-names-")), "resolv.conf");
  const address = `127.0.53.${1 + (process.pid % 250)}`;
  writeFileSync(file, `nameserver ${address}\n`);
  const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
  const words = ["--mount", "sh", "-c", script, file, process.execPath, ...process.argv.slice(1)];
  const { status } = spawnSync("unshare", words, {
    stdio: "inherit",
    env: { ...process.env, [MARK]: address },
  });
  process.exitCode = status ?? 1;
  return false;
}

export function startNames(): { close(): void } {
  const socket = createSocket("udp4");
  socket.on("message", (question: Buffer, from: RemoteInfo) => {
    if (names.isSilent) return;
    socket.send(answerTo(question, names.answer), from.port, from.address);
  });
  socket.bind(53, process.env[MARK]);
  return { close: () => void socket.close() };
}

const TYPE_A = 1;

function answerTo(question: Buffer, address: string | null): Buffer {
  // The name ends with an empty label; its type and class follow.
  const nameEnd = question.indexOf(0, 12) + 1;
  const isA = question.readUInt16BE(nameEnd) === TYPE_A;
  const asked = question.subarray(12, nameEnd + 4);
  const found = address !== null && isA;
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(address === null ? 0x81_83 : 0x81_80, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(found ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  if (!found) return Buffer.concat([head, asked]);
  const record = Buffer.from([0xc0, 0x0c, 0, TYPE_A, 0, 1, 0, 0, 0, 1, 0, 4]);
  return Buffer.concat([head, asked, record, Buffer.from(address.split(".").map(Number))]);
}
