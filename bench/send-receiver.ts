/** The other side of `send.ts`: a TLS server that answers every request at once, in a process of its own. */
import { createServer } from "node:tls";

const [cert, key] = JSON.parse(process.env.BENCH_CERTIFICATE!) as [string, string];
const OK = Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
const OK_CLOSE = Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
const BODY_LENGTH = Number(process.env.BENCH_BODY_BYTES);

const server = createServer({ cert, key, minVersion: "TLSv1.3" }, (socket) => {
  let pending = 0;
  let cold = false;
  socket.setNoDelay(true);
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    // Requests are alike, so their ends can be counted: the head ends in an empty line, the body has a
    // known length.
    if (pending === 0) {
      const headEnd = chunk.indexOf("\r\n\r\n");
      cold = chunk.toString("latin1", 0, 12).startsWith("POST /cold");
      pending = headEnd + 4 + BODY_LENGTH;
    }
    pending -= chunk.length;
    if (pending > 0) return;
    pending = 0;
    if (cold) socket.end(OK_CLOSE);
    else socket.write(OK);
  });
});
server.listen({ port: 0, host: "0.0.0.0", backlog: 4096 }, () =>
  process.send!((server.address() as { port: number }).port),
);
process.on("disconnect", () => process.exit());
