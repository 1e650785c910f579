/**
 * The operator's routes without their listener: a command asks them in its own process, on the store, so
 * that what it checks, does and says is what they do.
 */
import { createOpsServer } from "../../operator/server.ts";
import { products } from "../../products/index.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import { CommandError } from "../../cli/command.ts";
import { withStore, type StoreContext, type StoreOptions } from "./with-store.ts";

/** Throws `CommandRefused` with the route's own message when the answer is not 2xx. */
export type OperatorRequest = <T>(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
) => Promise<T>;

const TOKEN_BYTES = 32;

export function asOperator<T>(
  at: ProcessContext,
  work: (ask: OperatorRequest) => Promise<T>,
  options: StoreOptions = {},
): Promise<T> {
  const asking = async ({ store, cells, clock, random, log }: StoreContext): Promise<T> => {
    const operatorToken = random.bytes(TOKEN_BYTES).toString("hex");
    const ops = createOpsServer({
      database: store.database,
      cells,
      engine: { raise: () => Promise.reject(new Error("no command raises events")) },
      products,
      clock,
      random,
      log,
      operatorToken,
      metrics: { contentType: "text/plain; version=0.0.4; charset=utf-8", metrics: async () => "" },
      notReady: async () => ({}),
    });
    try {
      return await work(async (method, path, body) => {
        const answer = await ops.inject({
          method,
          url: path,
          headers: { authorization: `Bearer ${operatorToken}` },
          ...(body === undefined ? {} : { payload: body }),
        });
        const said = JSON.parse(answer.payload) as { readonly error?: { readonly message: string } };
        if (said.error !== undefined) throw new CommandError(errorSentence(said.error.message), 1);
        return said as never;
      });
    } finally {
      await ops.close();
    }
  };
  return withStore(at, asking, options);
}

/** Something a person typed, as one step of a path. */
export function pathSegment(typed: string): string {
  return encodeURIComponent(typed);
}

/** The route's complaint, to somebody who has sent no body. */
function errorSentence(message: string): string {
  const told = message.replace(/^body\./, "");
  return `${told.charAt(0).toUpperCase()}${told.slice(1)}.`;
}
