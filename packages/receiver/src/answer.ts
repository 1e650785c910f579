/** What a receiver says to the sender. The sender looks at the status only: 2xx, or try again. */
export type Answer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
};

export const HANDLED: Answer = { status: 204, headers: {}, text: "" };

export const FAILED: Answer = plain(500, "the delivery was not handled; send it again");

/** Another process handles it now and may yet fail, so this is no success: the retry will know. */
export const BUSY: Answer = plain(409, "this delivery is being handled; send it again later");

export const METHOD_NOT_ALLOWED: Answer = plain(405, "deliveries are POSTed", { allow: "POST" });

/** The rest of the body is not worth waiting for, hence the end of the connection. */
export const TOO_LARGE: Answer = plain(413, "the body is too large", { connection: "close" });

export function plain(status: number, text: string, headers: Answer["headers"] = {}): Answer {
  return { status, text: `${text}\n`, headers: { "content-type": "text/plain; charset=utf-8", ...headers } };
}
