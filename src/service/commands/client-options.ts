/** Options of the commands that a client's developer runs against a service. */

export const PRODUCT_URL_OPTION = [
  "--url <url>",
  "the product's address",
  "http://127.0.0.1:8080/tracking",
] as const;

export const KEY_OPTION = ["--key <key>", "an API key of the account"] as const;

export const KEY_FILE_OPTION = ["--key-file <file>", "the same, out of sight of other users' ps"] as const;

export const REFERENCE_OPTION = [
  "--reference <reference>",
  "only of this container, bill, waybill, vessel, trade lane or plan, or of all that begin with four signs",
] as const;

export const AFTER_OPTION = ["--after <event-id>", "go on behind this event, instead of now"] as const;
