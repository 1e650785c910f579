/** The HTTP answer to the sender, which reads the status only: 2xx, or it retries. */
export type Answer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
};

export const HANDLED: Answer = { status: 204, headers: {}, text: "" };

export const FAILED: Answer = plain(500, "the delivery was not handled; send it again");

/** Another process handles it and may fail, so this is no success: the retry finds out. */
export const BUSY: Answer = plain(409, "this delivery is being handled; send it again later");

export const METHOD_NOT_ALLOWED: Answer = plain(405, "deliveries are POSTed", { allow: "POST" });

/** Closes the connection: the rest of the body is not read. */
export const TOO_LARGE: Answer = plain(413, "the body is too large", { connection: "close" });

export function plain(status: number, text: string, headers: Answer["headers"] = {}): Answer {
  return { status, text: `${text}\n`, headers: { "content-type": "text/plain; charset=utf-8", ...headers } };
}
