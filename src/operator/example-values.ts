/** What several examples of the operator's document name. */
/** What a route takes and answers, by `METHOD /path` in `Examples`. */
export type ShownRoute = {
  /** What the route does, in a line. */
  readonly summary: string;
  readonly status: number;
  /** Of parameters in the path, where it is no id. */
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Where the route reads the body by hand. */
  readonly bodySchema?: object;
  /** What it takes beside JSON, by media type. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Absent: the answer has no body. A text: it is no JSON. */
  readonly answer?: object | string;
  /** Of other answers, by their status, where they differ from `answer`. */
  readonly others?: Readonly<Record<string, object>>;
  readonly type?: string;
};

export type ShownRoutes = Readonly<Record<string, ShownRoute>>;

/** Of the account. */
export const ID = "01a1fc98-3684-702d-8add-9c7eb13bfa2f";
export const ACCOUNT_NAME = "Acme Forwarding";
export const ENDPOINT_ID = "01a1fc9f-98f4-77f7-82bf-42bcc7b77f54";
export const DELIVERY_ID = "01a1fc9f-9e48-73e0-b3a1-06c2d680d67c";
export const EVENT_ID = "01a2053b-fdc3-713b-b04d-f197617b3be7";
export const LINK_ID = "01a1fc9b-5e80-7c41-8d0b-5b2f0d9e6a37";
export const URL = "https://example.com/webhooks";
export const CREATED = "2026-11-21T09:30:00.000Z";
export const SIGNATURE = `sha256=${"6f0c".repeat(16)}`;
