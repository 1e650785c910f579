/** A connection to the real server: one request after the other, each answered as a whole. */
import { RealSocket } from "./network.ts";
import { Received, type RealServer } from "./protocol.ts";

export type Answer = { readonly bytes: Buffer; readonly isLost: boolean };

export class Connection extends Received {
  readonly #socket = new RealSocket();
  /** The server has let go of all that the session held: it keeps the connection open until its process has ended. */
  readonly closed = new Promise<void>((resolve) => void this.#socket.once("close", resolve));
  #waits: ((answer: Answer) => void) | null = null;
  #isLost = false;

  constructor({ socketPath }: RealServer) {
    super();
    this.#socket.on("data", (chunk: Buffer) => {
      const bytes = this.take(chunk);
      if (bytes !== null) this.#answer({ bytes, isLost: false });
    });
    this.#socket.on("error", () => undefined);
    this.#socket.on("close", () => {
      this.#isLost = true;
      this.#answer({ bytes: this.rest(), isLost: true });
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

  #answer(answer: Answer): void {
    this.#waits?.(answer);
    this.#waits = null;
  }
}
