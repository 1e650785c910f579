/**
 * Requests of `fetch` and undici to servers of `node:http` within the process, while they travel:
 *
 *     sent ─(its server begins to handle it)─▶ handled ─(its answer is written)─▶ answered ─(the client has it)─▶ over
 *
 * A request is in flight while it is sent, and while it is answered. A server may handle one for as long as it likes: what
 * it does then is counted by itself.
 */
import { subscribe } from "node:diagnostics_channel";
import { Server, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";

type Request = { readonly method: string; readonly path: string; readonly origin: string | URL };
type Message = { readonly request: Request; readonly socket: Socket };
type Travelling = { readonly what: string; end: () => void; localPort?: number };

/** `begin` counts something until what it returns is called. */
export function watchRequests(begin: (what: string) => () => void): void {
  const ports = new Set<string>();
  const open = new Map<Request, Travelling>();
  const atServer = (message: unknown): Travelling | undefined => {
    const { remotePort } = (message as { readonly request: IncomingMessage }).request.socket;
    return [...open.values()].findLast(({ localPort }) => localPort === remotePort);
  };
  const over = (message: unknown): void => {
    const { request } = message as Message;
    open.get(request)?.end();
    open.delete(request);
  };
  subscribe("tracing:net.server.listen:asyncEnd", (message) => {
    const { server } = message as { readonly server: unknown };
    if (!(server instanceof Server)) return;
    const port = String((server.address() as AddressInfo).port);
    ports.add(port);
    server.once("close", () => ports.delete(port));
  });
  subscribe("undici:request:create", (message) => {
    const { request } = message as Message;
    if (!ports.has(new URL(request.origin).port)) return;
    const what = `${request.method} ${request.path}`;
    open.set(request, { what, end: begin(what) });
  });
  subscribe("undici:client:sendHeaders", (message) => {
    const { request, socket } = message as Message;
    Object.assign(open.get(request) ?? {}, { localPort: socket.localPort });
  });
  subscribe("http.server.request.start", (message) => atServer(message)?.end());
  subscribe("http.server.response.finish", (message) => {
    const answered = atServer(message);
    if (answered !== undefined) answered.end = begin(answered.what);
  });
  subscribe("undici:request:trailers", over);
  subscribe("undici:request:error", over);
}
