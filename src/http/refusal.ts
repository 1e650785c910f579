import { STORE_FAULTS, StoreUnavailable, type ErrorCode } from "../model/errors.ts";

/** Why a request is refused, and what to change. */
export type Refusal = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const UNAVAILABLE_RETRY_S = 5;

const INTERNAL: Refusal = { code: "INTERNAL_ERROR", message: "the service failed; this is not your fault" };

/** The refusal for an error that a handler threw. */
export function refusalOf(error: unknown, bodyBytesMax: number): Refusal {
  if (error instanceof StoreUnavailable) {
    return {
      code: "UNAVAILABLE",
      message: `${STORE_FAULTS[error.reason]} at the moment; try again`,
      headers: { "retry-after": String(UNAVAILABLE_RETRY_S) },
    };
  }
  if (!(error instanceof Error)) return INTERNAL;
  const { code, statusCode } = error as Error & { readonly code?: string; readonly statusCode?: number };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return {
      code: "PAYLOAD_TOO_LARGE",
      message: `the body has more than ${bodyBytesMax / 1024} KiB, the most that this path takes; send less at once`,
    };
  }
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return {
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: "send the body as JSON, with content-type: application/json",
    };
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode <= 499) {
    return { code: "INVALID_REQUEST", message: error.message };
  }
  return INTERNAL;
}
