import Type, { type Static, type TSchema } from "typebox";

/** The fields of a resource: each one's schema, and what fills it. */
export type Fields<From> = Readonly<
  Record<string, readonly [schema: TSchema, value: (from: From) => unknown]>
>;

type View<F> = {
  readonly [Name in keyof F]: F[Name] extends readonly [TSchema, (from: never) => infer Value]
    ? Value
    : never;
};

type Immutable<Value> = Value extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
    : Value;

/** A value that its schema does not allow does not compile. */
type Matching<F> = {
  readonly [Name in keyof F]: F[Name] extends readonly [infer Schema extends TSchema, infer Fill]
    ? Fill extends (from: never) => Immutable<Static<Schema>>
      ? F[Name]
      : readonly [Schema, (from: never) => Immutable<Static<Schema>>]
    : never;
};

/** A resource as callers see it: one description for the documentation, the routes and the commands. */
export function resource<From, F extends Fields<From>>(
  title: string,
  fields: F & Fields<From> & Matching<F>,
) {
  const schemas = Object.entries(fields).map(([name, [schema]]) => [name, schema] as const);
  const schema: TSchema = Type.Object(Object.fromEntries(schemas), { title });
  const view = (from: From) =>
    Object.fromEntries(Object.entries(fields).map(([name, [, value]]) => [name, value(from)])) as View<F>;
  return { schema, view };
}
