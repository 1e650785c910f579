/**
 * The statuses of all error codes (spec 7: unauthorized, invalid_url, not_found, entitlement). A product whose
 * envelope is `data-only` writes the codes in lower case.
 */
export const ERRORS = {
  INVALID_REQUEST: 400,
  INVALID_URL: 400,
  INVALID_REFERENCE: 400,
  INVALID_AWB: 400,
  UNKNOWN_VERSION: 400,
  UNAUTHORIZED: 401,
  ENTITLEMENT_REQUIRED: 403,
  NOT_FOUND: 404,
  UNKNOWN_AIRLINE: 404,
  WAYBILL_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  ENDPOINT_DISABLED: 409,
  ENDPOINT_LIMIT: 409,
  PLAN_LIMIT: 409,
  REFERENCE_LIMIT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  AIRLINE_NOT_CONFIGURED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  AIRLINE_UNAVAILABLE: 503,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Why the database does not do what it is asked, in plain words; the names label a metric. */
export const STORE_FAULTS = {
  unreachable: "the database cannot be reached",
  restarting: "the database is starting up or shutting down",
  too_many_connections: "the database takes no more connections",
  disk_full: "the database's disk is full",
  out_of_resources: "the database is out of memory or of another resource",
  file_error: "the database cannot read or write its files",
  read_only: "the database is read-only",
  access_denied: "the database denies Boathook access",
  moved: "the database's cell is moving to another server",
  account_closed: "the account is being removed",
  no_open_cell: "no cell is open for new accounts",
  contention: "the database is busy with other work on the same rows",
  overloaded: "too much waits for the database",
} as const;

export type StoreFault = keyof typeof STORE_FAULTS;

/** Thrown by the store and the engine while the database cannot do what it is asked; answered with 503. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** False: nothing of the statement was carried out. True: it may have been, or may yet be. */
  readonly commitUnknown: boolean;
  readonly reason: StoreFault;

  constructor(
    message: string,
    options: ErrorOptions & { readonly commitUnknown?: boolean; readonly reason?: StoreFault } = {},
  ) {
    super(message, options);
    this.commitUnknown = options.commitUnknown ?? true;
    this.reason = options.reason ?? "unreachable";
  }
}

/** Nothing changes in an account that is closed, and nothing is sent of it (store/account-removal/fence.ts). */
export function accountClosed(): StoreUnavailable {
  const reason = "account_closed";
  return new StoreUnavailable(STORE_FAULTS[reason], { commitUnknown: false, reason });
}

/** What was asked of a cell was not done: it lives elsewhere now. */
export function moved(): StoreUnavailable {
  return new StoreUnavailable(STORE_FAULTS.moved, { commitUnknown: false, reason: "moved" });
}

/** The level at which to log a failure: an unavailable store is no bug. */
export function failureLevel(cause: unknown): "warn" | "error" {
  return cause instanceof StoreUnavailable ? "warn" : "error";
}
