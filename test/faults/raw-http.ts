/** Bytes to a port as they are, and what comes back. */
import { connect, type Socket } from "node:net";

/** The statuses of the answers, in order; `open` when the server still holds the connection at the end. */
export type RawAnswer = {
  readonly statuses: readonly number[];
  readonly open: boolean;
  readonly text: string;
};

/** Writes to the socket whatever it likes. */
export type Talk = (socket: Socket) => void;

/** Talks to a port for as long as it listens; gives up after `msMax`. */
export function talkTo(url: string, talk: Talk, msMax: number): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => talk(socket));
    let text = "";
    const end = (open: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
      resolve({ statuses, open, text });
    };
    const timer = setTimeout(() => end(true), msMax);
    socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
    // A reset is an end like any other.
    socket.on("error", () => undefined);
    socket.on("close", () => end(false));
  });
}

/** Says everything at once. */
export function say(...parts: readonly (string | Buffer)[]): Talk {
  return (socket) => void socket.write(Buffer.concat(parts.map((part) => Buffer.from(part as Buffer))));
}

/** Says the beginning, and then a little, again and again, for as long as anybody listens. */
export function drip(beginning: string, drop: string, everyMs: number): Talk {
  return (socket) => {
    socket.write(beginning);
    const timer = setInterval(() => socket.write(drop), everyMs);
    socket.on("close", () => clearInterval(timer));
  };
}

/** A whole request that asks for the connection to be closed behind it. */
export function request(
  method: string,
  path: string,
  headers: readonly string[],
  body: string | Buffer = "",
): Buffer {
  const bytes = Buffer.from(body as Buffer);
  const head = [`${method} ${path} HTTP/1.1`, "host: localhost", "connection: close", ...headers];
  if (bytes.length > 0) head.push("content-type: application/json", `content-length: ${bytes.length}`);
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
}
