/** Requests to a node's listeners, as a client makes them over the simulated network. */
import { request } from "node:http";

import { connectTo } from "./network.ts";
import { after } from "./time.ts";

/** JSON, of the shape that the documents of the API name. */
export type Body = Readonly<Record<string, unknown>>;

/** `text` in place of what is not JSON. */
export type Answer = { readonly status: number; readonly body: Body };

/** Resolves with the answer, or with null when the connection ends or stays silent first: nobody knows what happened. */
export function ask(
  port: number,
  method: string,
  path: string,
  token: string,
  body?: unknown,
  waitMsMax = 20_000,
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const asked = request({
      createConnection: () => connectTo(`127.0.0.1:${port}`),
      method,
      path,
      host: "node",
      headers: {
        authorization: `Bearer ${token}`,
        connection: "close",
        ...(text === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      },
    });
    const over = (answer: Answer | null): void => {
      cancel();
      resolve(answer);
      asked.destroy();
    };
    const cancel = after(waitMsMax, () => over(null));
    asked.on("error", () => over(null));
    asked.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", () => over(null));
      response.on("close", () => {
        if (!response.complete) return over(null);
        const said = Buffer.concat(chunks).toString();
        const isJson = response.headers["content-type"]?.startsWith("application/json") ?? false;
        over({
          status: response.statusCode ?? 0,
          body: isJson ? (JSON.parse(said) as Body) : { text: said },
        });
      });
    });
    asked.end(text);
  });
}
