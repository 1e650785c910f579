/**
 * Schemas that have a title appear once, as components, and by reference everywhere else. The document
 * is plain JSON afterwards, without whatever the schema library keeps on its schemas.
 */
export function hoistTitled<Document extends object>(document: Document): Document {
  const schemas: Record<string, unknown> = {};

  function hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== "object" || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hoist(member)]));
    const { title } = copy;
    if (typeof title !== "string" || !("type" in copy || "enum" in copy)) return copy;
    schemas[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  }

  const hoisted = hoist(document) as Document & { readonly components?: object };
  return { ...hoisted, components: { ...hoisted.components, schemas } };
}
