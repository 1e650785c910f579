/** The protocol of PostgreSQL, as far as a server in the middle needs it. */
import { RealSocket } from "./network.ts";

/** Where the real server listens, and the world's own database there. */
export type RealServer = { readonly socketPath: string; readonly user: string; readonly database: string };

export type Answer = { readonly bytes: Buffer; readonly isLost: boolean };

/** A connection to the real server: one request after the other, each answered as a whole. */
export class Connection {
  readonly #socket = new RealSocket();
  /** The server has let go of all that the session held: it keeps the connection open until its process has ended. */
  readonly closed = new Promise<void>((resolve) => void this.#socket.once("close", resolve));
  #unread = Buffer.alloc(0);
  #waits: ((answer: Answer) => void) | null = null;
  #isLost = false;
  pid = 0;
  /** Of the transaction: none, open, failed. */
  state: "I" | "T" | "E" = "I";

  constructor({ socketPath }: RealServer) {
    this.#socket.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#socket.on("error", () => undefined);
    this.#socket.on("close", () => {
      this.#isLost = true;
      this.#answer(true);
    });
    this.#socket.connect({ path: socketPath });
  }

  ask(bytes: Buffer): Promise<Answer> {
    if (this.#isLost) return Promise.resolve({ bytes: Buffer.alloc(0), isLost: true });
    return new Promise((resolve) => {
      this.#waits = resolve;
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    let isReady = false;
    for (const { type, body } of messagesOf(this.#unread)) {
      if (type === "K") this.pid = body.readInt32BE(0);
      isReady = type === "Z";
      if (isReady) this.state = body.toString() as "I" | "T" | "E";
    }
    if (isReady) this.#answer(false);
  }

  #answer(isLost: boolean): void {
    const waits = this.#waits;
    if (waits === null) return;
    const bytes = this.#unread;
    this.#unread = Buffer.alloc(0);
    this.#waits = null;
    waits({ bytes, isLost });
  }
}

type Message = { readonly type: string; readonly body: Buffer; readonly whole: Buffer };

/** What is there as a whole. */
export function* messagesOf(bytes: Buffer): Generator<Message> {
  for (let at = 0; at + 5 <= bytes.length;) {
    const end = at + bytes.readInt32BE(at + 1) + 1;
    if (end > bytes.length) return;
    yield {
      type: String.fromCharCode(bytes[at]!),
      body: bytes.subarray(at + 5, end),
      whole: bytes.subarray(at, end),
    };
    at = end;
  }
}

export function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export function query(text: string): Buffer {
  return message("Q", Buffer.from(`${text}\0`));
}

export function refusal(code: string): Buffer {
  return message("E", Buffer.from(`SERROR\0VERROR\0C${code}\0Mrefused by the simulated world\0\0`));
}

const PROTOCOL = Buffer.from([0, 3, 0, 0]);

export function startupOf({ user, database }: RealServer, name: string, options = ""): Buffer {
  const fields = { user, database, application_name: name, client_encoding: "UTF8", options };
  const body = Object.entries(fields)
    .map(([key, value]) => `${key}\0${value}\0`)
    .join("");
  const bytes = Buffer.concat([Buffer.alloc(4), PROTOCOL, Buffer.from(`${body}\0`)]);
  bytes.writeInt32BE(bytes.length);
  return bytes;
}

export function parameterOf(startup: Buffer, name: string): string {
  const fields = startup.subarray(8).toString().split("\0");
  const at = fields.findIndex((field, index) => index % 2 === 0 && field === name);
  return at === -1 ? "" : fields[at + 1]!;
}

const [PARSE, BIND, QUERY] = [0x50, 0x42, 0x51];

/** The text of a request's statement. */
export function textOf(request: readonly Buffer[], texts: Map<string, string>): string {
  let text = "";
  for (const one of request) {
    const first = cString(one, 5);
    const second = () => cString(one, 6 + Buffer.byteLength(first));
    if (one[0] === QUERY) text = first;
    else if (one[0] === PARSE) {
      text = second();
      texts.set(first, text);
    } else if (one[0] === BIND) text = texts.get(second()) ?? text;
  }
  return text;
}

function cString(bytes: Buffer, from: number): string {
  return bytes.subarray(from, bytes.indexOf(0, from)).toString();
}
