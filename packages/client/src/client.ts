/**
 * Asks the routes of one OpenAPI document, whose types `npm run client` writes. A route that is not in the document, a
 * parameter that it does not have and a field that it does not answer do not compile.
 */

/** What a document describes: the `paths` and `schemas` that openapi-typescript makes of it. */
export type Api = { readonly paths: object; readonly schemas: object };

/** `message`: as the service says it; null where the answer does not come from the service. */
export type Failure = { readonly status: number; readonly message: string | null };
export type Answered<Value, Failed = Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failed };

/** Sends a request and reads its answer. */
export type Send<Failed = Failure> = <Value>(
  method: string,
  url: string,
  body: unknown,
  answerMsMax?: number,
) => Promise<Answered<Value, Failed>>;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `POST /v1/webhooks`, and its like. */
export type RouteOf<Paths> = {
  [Path in keyof Paths & string]: {
    [Name in Method]: Paths[Path] extends { readonly [Key in Lowercase<Name>]: object }
      ? `${Name} ${Path}`
      : never;
  }[Method];
}[keyof Paths & string];

type OperationOf<Paths, Route> =
  Route extends `${infer Name extends Method} ${infer Path extends keyof Paths & string}`
    ? Paths[Path][Lowercase<Name> & keyof Paths[Path]]
    : never;

type PartOf<Operation, Place extends string> = Operation extends {
  readonly parameters: { readonly [Key in Place]?: infer Part };
}
  ? [NonNullable<Part>] extends [never]
    ? {}
    : NonNullable<Part>
  : {};
/** Undefined is not sent. */
type Sendable<Values, Also = never> = {
  readonly [Name in keyof Values]: Values[Name] | Also | ({} extends Pick<Values, Name> ? undefined : never);
};
type ParametersOf<Operation, Also> = Sendable<PartOf<Operation, "path"> & PartOf<Operation, "query">, Also>;

type JsonOf<Content> = Content extends { readonly content: { readonly "application/json": infer Json } }
  ? Json
  : Content extends { readonly content: object }
    ? string
    : null;
type DoneOf<Responses> = {
  [Status in keyof Responses]: Status extends number
    ? `${Status}` extends `2${string}`
      ? JsonOf<Responses[Status]>
      : never
    : never;
}[keyof Responses];
type AnswerOf<Operation> = Operation extends { readonly responses: infer Responses }
  ? DoneOf<Responses>
  : never;

type SentTo<Operation> = Operation extends { readonly requestBody?: infer Body }
  ? Body extends { readonly content: { readonly "application/json": infer Json } }
    ? Json
    : undefined
  : undefined;

type Given<Parameters> = {} extends Parameters ? [parameters?: Parameters] : [parameters: Parameters];
type Sent<Operation, Also> = [SentTo<Operation>] extends [undefined]
  ? Given<ParametersOf<Operation, Also>>
  : [parameters: ParametersOf<Operation, Also>, body: Sendable<SentTo<Operation>>, answerMsMax?: number];

/** What a route takes. */
export type BodyOf<One extends Api, Route extends RouteOf<One["paths"]>> = SentTo<
  OperationOf<One["paths"], Route>
>;

declare const answers: unique symbol;
/** Where a GET gives an `Answer`. */
export type Address<Answer> = string & { readonly [answers]: Answer };

type GetsOf<Paths> =
  RouteOf<Paths> extends infer Route ? (Route extends `GET ${infer Path}` ? Path : never) : never;

/** `Also`: what a parameter may be besides what the document says, where the service judges it. */
export type Client<One extends Api, Failed = Failure, Also = never> = {
  addressOf<Path extends GetsOf<One["paths"]>>(
    path: Path,
    ...given: Given<ParametersOf<OperationOf<One["paths"], `GET ${Path}`>, Also>>
  ): Address<AnswerOf<OperationOf<One["paths"], `GET ${Path}`>>>;
  ask<Route extends RouteOf<One["paths"]>>(
    route: Route,
    ...given: Sent<OperationOf<One["paths"], Route>, Also>
  ): Promise<Answered<AnswerOf<OperationOf<One["paths"], Route>>, Failed>>;
};

/** Answers with the value alone. */
export type AskOrThrow<One extends Api, Also = never> = <Route extends RouteOf<One["paths"]>>(
  route: Route,
  ...given: Sent<OperationOf<One["paths"], Route>, Also>
) => Promise<AnswerOf<OperationOf<One["paths"], Route>>>;

/** `base` stands before the paths of the document. */
export function createClient<One extends Api, Failed = Failure, Also = never>(
  base: string,
  send: Send<Failed>,
): Client<One, Failed, Also> {
  return {
    addressOf: (path, ...[parameters = {}]) => (base + filled(path, parameters)) as Address<never>,
    ask(route, ...[parameters = {}, body, answerMsMax]) {
      const [method = "", path = ""] = route.split(" ");
      return send(method, base + filled(path, parameters), body, answerMsMax);
    },
  };
}

/** `ask`, where a refusal is an error. */
export function orThrow<One extends Api, Failed, Also>(
  { ask }: Client<One, Failed, Also>,
  errorOf: (failure: Failed) => Error,
): AskOrThrow<One, Also> {
  return async (route, ...given) => {
    const answer = await ask(route, ...given);
    if (answer.ok) return answer.value;
    throw errorOf(answer.failure);
  };
}

type Parameter = string | number | boolean | undefined;

/** What the path does not name goes to the query, if it has a value. */
function filled(path: string, given: object): string {
  const parameters = given as Readonly<Record<string, Parameter>>;
  const inPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters[name])),
  );
  const others = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === "" || path.includes(`{${name}}`) ? [] : [[name, String(value)]],
  );
  return others.length === 0 ? inPath : `${inPath}?${new URLSearchParams(others).toString()}`;
}
