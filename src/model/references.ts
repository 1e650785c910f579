/** What events are found by: the references of the trade that their data says, in whatever form they are written. */
import type { JsonObject } from "./json.ts";
import type { Product } from "./product.ts";

/** What an event's data says, each once. */
export type ReferencesOf = (product: string, type: string, data: JsonObject) => readonly string[];

const REFERENCE_LENGTH_MAX = 64;
/** Fewer letters and digits are no beginning of a reference. */
const PREFIX_LENGTH_MIN = 4;

const LEFT_OUT = /[^\p{L}\p{N}]+/gu;

/** Letters and digits alone, in upper case: `mscu 123456-6` and `MSCU1234566` are one. Empty: it has none. */
export function normalizeReference(text: string): string {
  return text.normalize("NFKC").replace(LEFT_OUT, "").toUpperCase().slice(0, REFERENCE_LENGTH_MAX);
}

export function createReferenceReader(products: readonly Product[]): ReferencesOf {
  const fields = new Map(
    products.flatMap(({ tag, catalogue }) =>
      catalogue.map(({ name, references = [] }) => [`${tag} ${name}`, references.map((one) => [one].flat())]),
    ),
  );
  return (product, type, data) => {
    const said = (fields.get(`${product} ${type}`) ?? []).map((names) =>
      joined(names.map((name) => data[name])),
    );
    return [...new Set(said.filter((one) => one !== ""))];
  };
}

/** Empty where one of them is not said. */
function joined(values: readonly unknown[]): string {
  const texts = values.map((value) => (typeof value === "string" ? normalizeReference(value) : ""));
  return texts.includes("") ? "" : texts.join("").slice(0, REFERENCE_LENGTH_MAX);
}

/** What is looked for: all references that begin with it, where it is long enough; else this one. */
export type WantedReference = { readonly text: string; readonly isWhole: boolean };

/** Null: nothing is looked for. */
export function wantedReference(sent: string | undefined): WantedReference | null {
  const text = normalizeReference(sent ?? "");
  return text === "" ? null : { text, isWhole: text.length < PREFIX_LENGTH_MIN };
}

export function isWanted({ text, isWhole }: WantedReference, reference: string): boolean {
  return isWhole ? reference === text : reference.startsWith(text);
}
