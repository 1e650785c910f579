/** An OpenAPI document as the command line and assistants' tools read it: operations, and what each takes. */
import type { CommandView } from "../model/command-view.ts";

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
};

type Described = {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
  };
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  readonly "x-cli"?: CommandView;
};

export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
};

/** A parameter, or a field of the body. */
export type Field = {
  readonly name: string;
  readonly place: "path" | "query" | "body";
  readonly isRequired: boolean;
  readonly about: string;
  readonly schema: Schema;
  readonly example: unknown;
};

export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly fields: readonly Field[];
  /** It answers JSON, and takes nothing else than the fields. */
  readonly isJson: boolean;
  readonly view: CommandView | null;
};

export type Viewed = Operation & { readonly view: CommandView };

/** What is given for a field. */
export type Value = string | number | boolean | readonly string[];
/** By the field's name. */
export type Values = ReadonlyMap<string, Value>;

/** In the order of the document. */
export function operationsOf(document: ApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      id: described.operationId ?? `${method} ${path}`,
      summary: described.summary ?? "",
      description: described.description ?? "",
      fields: [...parametersOf(described, document), ...bodyFieldsOf(described, document)],
      isJson: isJson(described, document),
      view: described["x-cli"] ?? null,
    })),
  );
}

function isJson(described: Described, document: ApiDocument): boolean {
  const answers = Object.entries(described.responses ?? {}).filter(([status]) => status.startsWith("2"));
  const hasAnswer = answers.some(([, { content = {} }]) => "application/json" in content);
  return hasAnswer && (described.requestBody === undefined || bodyFieldsOf(described, document).length > 0);
}

function parametersOf({ parameters = [] }: Described, document: ApiDocument): readonly Field[] {
  return parameters.flatMap((one) => {
    if (one.in !== "path" && one.in !== "query") return [];
    const schema = resolved(one.schema ?? {}, document);
    const about = one.description ?? schema.description ?? "";
    const { name, required: isRequired = false, example } = one;
    return [{ name, place: one.in, isRequired, about, schema, example }];
  });
}

function bodyFieldsOf({ requestBody }: Described, document: ApiDocument): readonly Field[] {
  const { schema = {}, example = {} } = requestBody?.content?.["application/json"] ?? {};
  const { properties = {}, required = [] } = resolved(schema, document);
  return Object.entries(properties).map(([name, member]) => ({
    ...{ name, place: "body", isRequired: required.includes(name) },
    ...{ schema: resolved(member, document), about: member.description ?? "" },
    example: (example as Readonly<Record<string, unknown>> | null)?.[name],
  }));
}

/** Without references at its top, and of what may be null the rest. */
function resolved(schema: Schema, document: ApiDocument): Schema {
  const name = schema.$ref?.split("/").at(-1);
  if (name !== undefined) return resolved(document.components?.schemas?.[name] ?? {}, document);
  const option = schema.anyOf?.find(({ type }) => type !== "null");
  return option === undefined ? schema : { ...schema, ...resolved(option, document) };
}

/** With what its references stand for; the schemas of a document refer to none above themselves. */
export function inlined<Part>(part: Part, document: ApiDocument): Part {
  if (Array.isArray(part)) return part.map((one: unknown) => inlined(one, document)) as Part;
  if (typeof part !== "object" || part === null) return part;
  if ("$ref" in part) return inlined(resolved(part as Schema, document) as Part, document);
  const members = Object.entries(part).map(([name, member]: [string, unknown]) => [
    name,
    inlined(member, document),
  ]);
  return Object.fromEntries(members) as Part;
}

/** The path and the query with values; what has none is left out. */
export function urlOf({ path, fields }: Pick<Operation, "path" | "fields">, values: Values): string {
  const query = new URLSearchParams();
  for (const { name, place } of fields) {
    const value = values.get(name);
    if (place === "query" && value !== undefined) query.set(name, String(value));
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/** The fields of the body that have values; undefined where the operation takes none. */
export function bodyOf({ fields }: Operation, values: Values): object | undefined {
  const own = fields.filter(({ place }) => place === "body");
  if (own.length === 0) return undefined;
  return Object.fromEntries(
    own.flatMap(({ name }) => (values.get(name) === undefined ? [] : [[name, values.get(name)]])),
  );
}
