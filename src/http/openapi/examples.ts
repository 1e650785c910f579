/** Puts the kept requests, answers and refusals of a run (`npm run docs:examples`) into an OpenAPI document. */
import { readFileSync } from "node:fs";

/** What one API was asked and answered. */
export type KeptExamples = {
  /** Messages by code, of the routes that have none of their own. */
  readonly refusals: Readonly<Record<string, string>>;
  /** By `METHOD /path`. */
  readonly routes: Readonly<Record<string, KeptRoute>>;
};

export type KeptRoute = {
  /** In the path, the query and the header. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** By media type. */
  readonly bodies?: Readonly<Record<string, unknown>>;
  /** By status; a text is no JSON. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly refusals?: Readonly<Record<string, string>>;
};

type Envelope = (error: { readonly code: string; readonly message: string }) => object;

type Media = { readonly schema?: { readonly title?: string } };
type Content = Readonly<Record<string, Media>>;

type Operation = {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
};

type Document = { readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** Without a file, as in a new product, there are none. */
export function readExamples(file: string | undefined): KeptExamples {
  return file === undefined
    ? { refusals: {}, routes: {} }
    : (JSON.parse(readFileSync(file, "utf8")) as KeptExamples);
}

/** `envelope`: what a refusal's error is answered in. */
export function withExamples<Made extends object>(
  document: Made,
  { refusals, routes }: KeptExamples,
  envelope: Envelope,
): Made {
  const { paths = {} } = document as Document;
  const shown = mapValues(paths, (item, path) =>
    mapValues(item, (operation, method) => {
      const route = routes[`${method.toUpperCase()} ${path}`] ?? {};
      return operationWith(operation, { ...route, refusals: { ...refusals, ...route.refusals } }, envelope);
    }),
  );
  return { ...document, paths: shown };
}

function operationWith(operation: Operation, kept: KeptRoute, envelope: Envelope): Operation {
  const { parameters, requestBody, responses } = operation;
  const { bodies = {}, answers = {}, refusals = {} } = kept;
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) => withExample(one, kept.parameters?.[one.name])),
    }),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: mapValues(requestBody.content, (media, type) => withExample(media, bodies[type])),
      },
    }),
    ...(responses && {
      responses: mapValues(responses, ({ content, ...response }, status) => ({
        ...response,
        ...(content && {
          content: mapValues(content, (media) =>
            media.schema?.title === "Refusal"
              ? { ...media, examples: refusalsOf(response.description, refusals, envelope) }
              : withExample(media, answers[status]),
          ),
        }),
      })),
    }),
  };
}

function withExample<Shown extends object>(shown: Shown, example: unknown): Shown {
  return example === undefined ? shown : { ...shown, example };
}

/** An example for each code, which the description lists (`answer-schema.ts`). */
function refusalsOf(
  description: string,
  messages: Readonly<Record<string, string>>,
  envelope: Envelope,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    description.split(", ").flatMap((code) => {
      const message = messages[code.toUpperCase()];
      return message === undefined ? [] : [[code, { value: envelope({ code, message }) }] as const];
    }),
  );
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}
