/**
 * A function for each query, with the types that PostgreSQL describes: a module beside each file of queries.
 *
 * PostgreSQL names the parameters' types, and of each column the name, the type and the column of a table that
 * it comes from. The table's schema then says what the value can be: null or not, and of which words where a
 * CHECK lists them. Comments say what PostgreSQL cannot know:
 *
 *     -- @null limit node      these parameters may be null; no other may
 *     -- @notnull count due   these columns are never null: computed ones, and those beside an outer join
 *     -- @together id url     of an outer join: all of these columns are null, or none is
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";

import { format } from "oxfmt";
import pg from "pg";

import { cellsNamed, OF_ACCOUNTS, type Cell } from "../src/store/cell.ts";
import { connectionConfig, type DatabaseAddress } from "../src/store/database.ts";
import { commentOf, inSchemas, queriesIn, type Query } from "../src/store/sql.ts";
import { sqlTokens } from "../src/store/sql-tokens.ts";
import { describeStatement, type ColumnDescription } from "./describe-statement.ts";

const ROOT = join(import.meta.dirname, "..");

/** What the driver takes and gives for a type of PostgreSQL. */
const TYPES: Readonly<Record<string, string>> = {
  bool: "boolean",
  bytea: "Buffer",
  float8: "number",
  int2: "number",
  int4: "number",
  text: "string",
  timestamptz: "Date",
  uuid: "string",
};

/**
 * A bigint comes as text, for it may be no safe integer, and a day as midnight of some time zone. A time may also
 * come in milliseconds since the epoch.
 */
const PARAMETER_TYPES = { ...TYPES, int8: "number", date: "string", timestamptz: "Date | number" };
const COLUMN_TYPES = { ...TYPES, int8: "string", void: "unknown" };

/** Arrays go as Buffers: who makes them (src/store/binary.ts), and of what. */
const ARRAY_PARAMETERS: Readonly<Record<string, readonly [encode: string, of: string]>> = {
  _bool: ["boolArray", "boolean"],
  _bytea: ["byteaArray", "Buffer"],
  _float8: ["float8Array", "number"],
  _int4: ["int4Array", "number"],
  _int8: ["int8Array", "number"],
  _text: ["textArray", "string"],
  _timestamptz: ["timestampArray", "number"],
  _uuid: ["uuidArray", "string"],
};

function hasRecord(tag: string): boolean {
  return existsSync(join(ROOT, "src", "products", tag, "migrations", "record"));
}

/** The cell whose tables a statement names `cell.x`, by its path from the project's root. */
export function cellOfStatement(path: string, { directory }: Cell): Cell {
  const kind = /^src\/products\/(\w+)\/store\//.exec(path)?.[1] ?? "";
  // Every source of messages has the outbox of the directory.
  if (path.startsWith("src/store/outbox/")) return { number: 0, schema: directory, directory };
  return cellsNamed(directory, 1, hasRecord(kind) ? kind : OF_ACCOUNTS)[0];
}

/** The generated files, by path from the project's root. The database is migrated; `cell` is one of its cells. */
export async function statementFiles(
  address: DatabaseAddress,
  cell: Cell,
): Promise<ReadonlyMap<string, string>> {
  const client = new pg.Client(connectionConfig(address));
  await client.connect();
  try {
    const schema = await readSchema(client, cell);
    const files = new Map<string, string>();
    const names = new Set<string>();
    for (const path of queryFiles()) {
      const functions: QueryFunction[] = [];
      for (const query of queriesIn(readFileSync(join(ROOT, path), "utf8"))) {
        // A connection prepares a statement of one cell by its name.
        if (names.has(query.name)) throw new Error(`${path}: another file has a query ${query.name}`);
        names.add(query.name);
        functions.push(await functionOf(client, cell, schema, path, query));
      }
      files.set(`${path}.ts`, await fileOf(path, withNamedRows(functions)));
    }
    return files;
  } finally {
    await client.end();
  }
}

/** By path from the project's root. */
export function queryFiles(): readonly string[] {
  return globSync("src/**/store/**/*.sql", { cwd: ROOT, exclude: ["src/store/migrations/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted();
}

type QueryFunction = {
  readonly query: string;
  /** The type of a row. */
  readonly row: string;
  /** Those of objects and rows that the caller gives, by their names. */
  readonly given: ReadonlyMap<string, string>;
  readonly source: string;
};

/**
 * A row of three columns or more that several functions give has a type, named by the words that their queries begin
 * with; what several are given has one, too.
 */
function withNamedRows(functions: readonly QueryFunction[]): string {
  const types = new Map<string, string>();
  const nameShared = (shape: string, count: number, names: readonly string[]): void => {
    const free = names.find((name) => ![...types.values()].includes(camelCase(`_${name}`)));
    if (count > 1 && shape.split(";").length > 2) types.set(shape, camelCase(`_${free}`));
  };
  for (const [row, givers] of Map.groupBy(functions, (one) => one.row)) {
    const start = commonStart(givers.map(({ query }) => query.split("_"))).join("_");
    nameShared(
      row,
      givers.length,
      [start, givers[0]!.query].filter((name) => name !== "").map((name) => `${name}_row`),
    );
  }
  const given = functions.flatMap((one) =>
    [...one.given].map(([name, shape]) => ({ name, shape, query: one.query })),
  );
  for (const [shape, [first, ...others]] of Map.groupBy(given, (one) => one.shape))
    nameShared(shape, 1 + others.length, [`given_${first!.name}`, `given_${first!.query}`]);
  const named = (source: string): string =>
    [...types].reduce((text, [shape, name]) => text.replaceAll(shape, name), source);
  return [
    ...[...types].map(([shape, name]) => `type ${name} = ${shape};`),
    ...functions.map(({ source }) => named(source)),
  ].join("\n\n");
}

/** The words that all begin with. */
function commonStart(all: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = all;
  const length = first.findIndex((word, index) => all.some((words) => words[index] !== word));
  return first.slice(0, length === -1 ? first.length : length);
}

async function fileOf(path: string, body: string): Promise<string> {
  const name = basename(path, ".sql");
  const used = [...Object.values(ARRAY_PARAMETERS).map(([encode]) => encode), "toDate"].filter((one) =>
    new RegExp(`\\b${one}\\(`).test(body),
  );
  const store = posix.relative(dirname(path), "src/store") || ".";
  const text = [
    `// Generated by npm run sql:types from ${name}.sql. Do not edit.`,
    ...(used.length > 0 ? [`import { ${used.toSorted().join(", ")} } from "${store}/binary.ts";`] : []),
    `import type { Cell } from "${store}/cell.ts";`,
    `import type { Connection } from "${store}/database.ts";`,
    `import { loadQueries } from "${store}/sql.ts";`,
    "",
    `const query = loadQueries(import.meta.dirname, "${name}");`,
    "",
    body,
  ].join("\n");
  const options = JSON.parse(readFileSync(join(ROOT, ".oxfmtrc.json"), "utf8")) as { printWidth: number };
  const { code, errors } = await format(`${name}.sql.ts`, text, { printWidth: options.printWidth });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}\n${text}`);
  return code;
}

async function functionOf(
  client: pg.Client,
  cell: Cell,
  schema: Schema,
  path: string,
  query: Query,
): Promise<QueryFunction> {
  const { name, gives, text, parameters: names } = query;
  try {
    const { parameters, columns } = await describeStatement(
      client,
      inSchemas(text, cellOfStatement(path, cell)),
    );
    if (gives !== "exec" && columns.length === 0)
      throw new Error(`it gives no rows: mark it :exec, not :${gives}`);
    const stated = statedIn(query, columns);
    const given = parameters.map((oid, index): Parameter => {
      const {
        name: field,
        of,
        rows,
        isNull = of === undefined && stated.nullParameters.has(field),
      } = names[index]!;
      const type = schema.types.get(oid)!;
      const [encode, element] = ARRAY_PARAMETERS[type] ?? [];
      const found = { name: field, isNull, ...(of !== undefined && { of }) };
      if (encode !== undefined && rows !== undefined) return { ...found, type: element!, encode, rows };
      if (encode !== undefined) return { ...found, type: `readonly (${element} | null)[]`, encode };
      const typed = typeOf(schema, oid, PARAMETER_TYPES);
      return { ...found, type: typed, ...(typed.startsWith("Date") && { encode: "toDate" }) };
    });
    const { taken, values, objects } = takenBy(given, stated.nullParameters);
    const row = rowType(
      columns.map((column): Column => {
        const type = schema.words(column) ?? typeOf(schema, column.type, COLUMN_TYPES);
        const isNotNull =
          type === "unknown" ||
          stated.notNull.has(column.name) ||
          (schema.isNotNull(column) && !hasOuterJoin(text));
        return { name: column.name, type, isNotNull, isTogether: stated.together.has(column.name) };
      }),
    );
    const rows = `db.rows(query("${name}")(cell), [${values.join(", ")}])`;
    const [answer, body] = {
      many: [`(${row})[]`, `return ${rows};`],
      one: [row, `return (await ${rows})[0]!;`],
      maybe: [`${row} | null`, `return (await ${rows})[0] ?? null;`],
      exec: ["void", `await ${rows};`],
    }[gives] as [string, string];
    const all = ["db: Connection", "cell: Cell", ...taken].join(", ");
    const isAsync = gives === "many" ? "" : "async ";
    const head = `${docstring(query)}export ${isAsync}function ${camelCase(name)}(${all})`;
    return { query: name, row, given: objects, source: `${head}: Promise<${answer}> { ${body} }` };
  } catch (cause) {
    throw new Error(`${path}, ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

type Parameter = {
  readonly name: string;
  readonly type: string;
  readonly isNull: boolean;
  /** What makes of it what the driver takes. */
  readonly encode?: string;
  readonly of?: string;
  /** The rows of which it is a column: `encode` takes an array. */
  readonly rows?: string;
};

/** What a function takes: its only parameter by itself, several as one object; and the values in their order. */
function takenBy(given: readonly Parameter[], nulls: ReadonlySet<string>) {
  const field = ({ name, type, isNull }: Parameter) => `${name}: ${type}${isNull ? " | null" : ""}`;
  const object = (fields: readonly Parameter[]) =>
    `{ ${fields.map((one) => `readonly ${field(one)}`).join("; ")} }`;
  const fields = given.filter(({ of, rows }) => of === undefined && rows === undefined).map(field);
  const objects = new Map<string, string>();
  for (const [name, its] of Map.groupBy(given, ({ of, rows }) => of ?? rows)) {
    if (name === undefined) continue;
    objects.set(name, object(its));
    const isRows = its[0]!.rows !== undefined;
    const orNull = nulls.has(name) ? " | null" : "";
    fields.push(`${name}: ${isRows ? `readonly ${object(its)}[]` : `${object(its)}${orNull}`}`);
  }
  const from = fields.length > 1 ? "given." : "";
  const values = given.map(({ name, isNull, encode, of, rows }) => {
    if (rows !== undefined) return `${encode}(${from}${rows}.map((one) => one.${name}))`;
    const isOfNull = of !== undefined && nulls.has(of);
    const value = `${from}${of === undefined ? "" : `${of}${isOfNull ? "?." : "."}`}${name}${isOfNull ? " ?? null" : ""}`;
    if (encode === undefined) return value;
    return isNull && encode !== "toDate" ? `${value} && ${encode}(${value})` : `${encode}(${value})`;
  });
  return { taken: from === "" ? fields : [`given: { ${fields.join("; ")} }`], values, objects };
}

function docstring({ text }: Query): string {
  const lines = commentOf(text)
    .split("\n")
    .map((line) => line.replace(/^-- ?/, ""))
    .filter((line) => !/^@(?:null|notnull|together)\b/.test(line))
    .map((line) => line.replaceAll(/@(\w+)/g, "`$1`").replaceAll("*/", "* /"));
  const said = lines.join("\n").trim();
  if (said === "") return "";
  return said.includes("\n") ? `/**\n * ${said.replaceAll("\n", "\n * ")}\n */\n` : `/** ${said} */\n`;
}

type Stated = {
  readonly nullParameters: ReadonlySet<string>;
  /** Names of columns. */
  readonly notNull: ReadonlySet<string>;
  readonly together: ReadonlySet<string>;
};

type Column = {
  readonly name: string;
  readonly type: string;
  readonly isNotNull: boolean;
  readonly isTogether: boolean;
};

function rowType(columns: readonly Column[]): string {
  const object = (fields: readonly string[]) => `{ ${fields.join("; ")} }`;
  const alone = columns
    .filter(({ isTogether }) => !isTogether)
    .map(({ name, type, isNotNull }) => `${name}: ${isNotNull ? type : `${type} | null`}`);
  const together = columns.filter(({ isTogether }) => isTogether);
  if (together.length === 0) return object(alone);
  const all = object(together.map(({ name, type }) => `${name}: ${type}`));
  const none = object(together.map(({ name }) => `${name}: null`));
  return `${object(alone)} & (${all} | ${none})`;
}

/** What the comment says. Throws where it names what the statement does not have. */
function statedIn({ text, parameters }: Query, columns: readonly ColumnDescription[]): Stated {
  const words = (mark: string) =>
    commentOf(text)
      .split("\n")
      .flatMap((line) => new RegExp(`^-- @${mark} (.*)$`).exec(line)?.[1]!.trim().split(/\s+/) ?? [])
      .map((word) => word.replace(/^@/, ""));
  const isColumn = (word: string) => columns.some(({ name }) => name === word);
  const nulls = words("null");
  const [notNull, together] = [words("notnull"), words("together")];
  const named = [...commentOf(text).matchAll(/@(\w+)/g)].map(([, word]) => word!);
  const taken = new Set([
    "null",
    "notnull",
    "together",
    ...parameters.map(({ name, of, rows }) => of ?? rows ?? name),
  ]);
  const unknown = [
    ...[...nulls, ...named].filter((word) => !taken.has(word)),
    ...[...notNull, ...together].filter((word) => !isColumn(word)),
  ];
  if (unknown.length > 0) throw new Error(`its comment names ${unknown.join(", ")}, which it does not have`);
  return { nullParameters: new Set(nulls), notNull: new Set(notNull), together: new Set(together) };
}

/** Any column may be null behind an outer join: PostgreSQL does not say which. */
function hasOuterJoin(text: string): boolean {
  return [...sqlTokens(text)].some(
    ({ kind, text: word }) => kind === "word" && /^(?:left|right|full)$/i.test(word),
  );
}

function typeOf(schema: Schema, oid: number, types: Readonly<Record<string, string>>): string {
  const name = schema.types.get(oid)!;
  const type = name.startsWith("_") ? `${types[name.slice(1)]}[]` : types[name];
  if (type === undefined || type === "undefined[]")
    throw new Error(`cast the ${name}: it has no type in TypeScript`);
  return type;
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

type Schema = {
  /** Names by OID. */
  readonly types: ReadonlyMap<number, string>;
  isNotNull(column: ColumnDescription): boolean;
  /** A union of the words that a CHECK lists; null: it takes any. */
  words(column: ColumnDescription): string | null;
};

async function readSchema(client: pg.Client, cell: Cell): Promise<Schema> {
  const types = await client.query<{ oid: number; name: string }>(
    "select oid::integer, typname as name from pg_type",
  );
  const found = await client.query<{ key: string; is_not_null: boolean; checks: string[] }>(
    `select a.attrelid || '.' || a.attnum as key, a.attnotnull as is_not_null,
       array(
         select pg_get_constraintdef(c.oid) from pg_constraint c
         where c.conrelid = a.attrelid and c.contype = 'c' and c.conkey = array[a.attnum]
       ) as checks
     from pg_attribute a
     join pg_class r on r.oid = a.attrelid
     join pg_namespace n on n.oid = r.relnamespace
     where starts_with(n.nspname, $1) and a.attnum > 0`,
    [cell.directory],
  );
  const columns = new Map(found.rows.map((row) => [row.key, row]));
  const columnOf = ({ table, number }: ColumnDescription) => columns.get(`${table}.${number}`);
  return {
    types: new Map(types.rows.map(({ oid, name }) => [oid, name])),
    isNotNull: (column) => columnOf(column)?.is_not_null === true,
    words(column) {
      const check = columnOf(column)?.checks.find((one) =>
        /^CHECK \(\(\w+ = ANY \(ARRAY\[[^\]]*\]\)\)\)$/.test(one),
      );
      return (
        check
          ?.match(/'[^']*'/g)
          ?.map((word) => `"${word.slice(1, -1)}"`)
          .join(" | ") ?? null
      );
    },
  };
}
