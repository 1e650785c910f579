/** The protocol of PostgreSQL, as far as a server in the middle needs it. */

/** Where the real server listens, and the world's own database there. */
export type RealServer = { readonly socketPath: string; readonly user: string; readonly database: string };

/** Of a session's transaction: none, open, failed. */
type TransactionState = "I" | "T" | "E";

/** `pid`: of the session whose commit sent it. */
type Notification = { readonly pid: number; readonly whole: Buffer };

/** What a session has received. A notification may come with an answer, before its end or after it. */
export class Received {
  pid = 0;
  state: TransactionState = "I";
  notifications: Notification[] = [];
  #unread = Buffer.alloc(0);
  #answer: Buffer[] = [];

  /** The answer that has come to its end with this, if one has. */
  take(chunk: Buffer): Buffer | null {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    let answer: Buffer | null = null;
    let end = 0;
    for (const { type, body, whole } of messagesOf(this.#unread)) {
      end += whole.length;
      if (type === "A") {
        this.notifications.push({ pid: body.readInt32BE(0), whole });
        continue;
      }
      if (type === "K") this.pid = body.readInt32BE(0);
      this.#answer.push(whole);
      if (type !== "Z") continue;
      this.state = body.toString() as TransactionState;
      answer = this.rest();
    }
    this.#unread = this.#unread.subarray(end);
    return answer;
  }

  /** What there is of an answer that has no end. */
  rest(): Buffer {
    return Buffer.concat(this.#answer.splice(0));
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
