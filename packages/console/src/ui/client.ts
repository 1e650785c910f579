/**
 * Asks the routes of one OpenAPI document. A route that is not in the document, a parameter that it does not have and a
 * field that it does not answer do not compile (`npm run docs:client-types` writes the types).
 */
import { send, type Answered } from "./api.ts";

type Route = {
  readonly path: object;
  readonly query: object;
  readonly body: unknown;
  readonly answer: unknown;
};
/** What `npm run docs:client-types` makes of a document. */
export type RoutesOf<Routes> = { readonly [Name in keyof Routes]: Route };

declare const answers: unique symbol;

/** Where a GET gives an `Answer`. */
export type Address<Answer> = string & { readonly [answers]: Answer };

/** Filters come from the address of a page as text: the service judges what they say. */
type TextOf<Values> = {
  readonly [Name in keyof Values]: {} extends Pick<Values, Name>
    ? string | number | undefined
    : string | number;
};
type ParametersOf<One extends Route> = TextOf<One["path"] & One["query"]>;

type GetsOf<Routes> = keyof Routes extends infer Name
  ? Name extends `GET ${infer Path}`
    ? Path
    : never
  : never;
type Given<Parameters> = {} extends Parameters ? [parameters?: Parameters] : [parameters: Parameters];
type Sent<One extends Route> = One["body"] extends undefined
  ? Given<ParametersOf<One>>
  : [parameters: ParametersOf<One>, body: One["body"], answerMsMax?: number];

export type Client<Routes extends RoutesOf<Routes>> = {
  addressOf<Path extends GetsOf<Routes>>(
    path: Path,
    ...given: Given<ParametersOf<Routes[`GET ${Path}` & keyof Routes]>>
  ): Address<Routes[`GET ${Path}` & keyof Routes]["answer"]>;
  ask<Name extends keyof Routes & string>(
    route: Name,
    ...given: Sent<Routes[Name]>
  ): Promise<Answered<Routes[Name]["answer"]>>;
};

/** `base` stands before the paths of the document. */
export function clientOf<Routes extends RoutesOf<Routes>>(base: string): Client<Routes> {
  return {
    addressOf: (path, ...[parameters = {}]) => (base + filled(path, parameters)) as Address<never>,
    ask(route, ...[parameters = {}, body, answerMsMax]) {
      const [method = "", path = ""] = route.split(" ");
      return send(method, base + filled(path, parameters), body, answerMsMax);
    },
  };
}

/** The next page. */
export function withCursor<Answer>(address: Address<Answer>, cursor: string): Address<Answer> {
  return `${address}${address.includes("?") ? "&" : "?"}cursor=${cursor}` as Address<Answer>;
}

/** What the path does not name goes to the query, if it has a value. A part of the path is encoded already. */
function filled(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const inPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parameters[name]));
  const others = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === "" || path.includes(`{${name}}`) ? [] : [[name, String(value)]],
  );
  return others.length === 0 ? inPath : `${inPath}?${new URLSearchParams(others).toString()}`;
}
