import type { AddressInfo } from "node:net";

import type { Listener } from "../http/listener.ts";
import type { Clock } from "../runtime/clock.ts";
import { StartupError } from "../runtime/startup-error.ts";

export type ListenAddress = { readonly host: string; readonly port: number };

/** Requests under way when the listener closes have so long to end. */
const CLOSE_MS_MAX = 5_000;

/**
 * Listens and returns the address as a URL that can be asked from this machine. `setting` is the one
 * that says where. Throws `StartupError` when the system does not let us.
 */
export async function listenOn(
  app: Listener,
  { host, port }: ListenAddress,
  setting: string,
): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new StartupError(`Boathook cannot listen on ${host}:${port}: ${reason(cause, setting)}`, {
      cause,
    });
  }
  return urlOf(app.server.address() as AddressInfo);
}

function reason(cause: Error & { readonly code?: unknown }, setting: string): string {
  switch (cause.code) {
    case "EADDRINUSE":
      return `another program does. Stop that one, or set ${setting} to another address (port 0 takes one that is free).`;
    case "EACCES":
      return `this user may not. Set ${setting} to a port above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `that is no address of this machine. Set ${setting} to one that is.`;
    default:
      return `${cause.message} (${setting}).`;
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  if (address === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (address === "::") return `http://[::1]:${port}`;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/** Takes no more connections and lets what is under way end, for a bounded time. */
export async function closeListener(app: Listener, clock: Clock): Promise<void> {
  const cancel = clock.after(CLOSE_MS_MAX, () => app.server.closeAllConnections());
  await app.close();
  cancel();
}
