import type { Listener } from "../http/listener.ts";

/** Has the routes of a scope take bodies of these types as they came, to be read line by line or digit by digit. */
export function acceptRawBodies(scope: Listener, types: readonly string[]): void {
  for (const type of types) {
    if (scope.hasContentTypeParser(type)) scope.removeContentTypeParser(type);
    scope.addContentTypeParser<Buffer>(type, { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
  }
}
