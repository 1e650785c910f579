/** The ports of the service, chosen before it starts, because the worlds and the examples name them. */
import { createServer, type AddressInfo } from "node:net";

const LOOPBACK = "127.0.0.1";

/** `first` and the one behind it where both are free, else two that are; as `127.0.0.1:8080`. */
export async function freeListeners(first: number): Promise<readonly [string, string]> {
  const wanted = first === 0 ? [0, 0] : [first, first + 1];
  const opened = await Promise.all(wanted.map(portIfFree));
  const missing = opened.includes(null);
  const ports = missing ? await Promise.all([portIfFree(0), portIfFree(0)]) : opened;
  return [`${LOOPBACK}:${ports[0]}`, `${LOOPBACK}:${ports[1]}`];
}

/** 0: any. Null: somebody listens there. */
function portIfFree(port: number): Promise<number | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(null));
    server.listen(port, LOOPBACK, () => {
      const { port: found } = server.address() as AddressInfo;
      server.close(() => resolve(found));
    });
  });
}
