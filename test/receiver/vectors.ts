/** The shared vectors of `receiver/vectors.json`, read once. */
import { readFileSync } from "node:fs";

export type Vector = {
  readonly name: string;
  readonly body: Uint8Array;
  readonly secret: string;
  readonly signature: string;
  readonly event: string;
  readonly delivery: string;
  /** What a check of the signature alone must say. */
  readonly signed: boolean;
  /** `ok`, or the reason `verify` gives. */
  readonly verdict: string;
};

type Written = Omit<Vector, "body"> & { readonly body?: string; readonly body_base64?: string };

const file = new URL("../../packages/receiver/vectors.json", import.meta.url);

export const vectors: readonly Vector[] = (
  JSON.parse(readFileSync(file, "utf8")) as { vectors: readonly Written[] }
).vectors.map(({ body, body_base64, ...rest }) => ({
  ...rest,
  body: body === undefined ? Buffer.from(body_base64 ?? "", "base64") : Buffer.from(body),
}));
