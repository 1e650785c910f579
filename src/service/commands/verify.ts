import { readFile } from "node:fs/promises";

import { diagnose } from "../../../packages/receiver/src/diagnose.ts";
import type { HeaderRecord } from "../../../packages/receiver/src/headers.ts";
import { verify } from "../../../packages/receiver/src/verify.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import { action, CommandError } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { jsonText } from "../../cli/table.ts";

export const command = action({
  about:
    "Checks the signature of a delivery as its receiver should: status 0 when it is good, 1 when it is not, " +
    "and then what is likely to be wrong. A file named - is read from stdin.",
  arguments: [],
  options: {
    body: { type: "string", value: "file", about: "the raw body, byte for byte" },
    headers: { type: "string", value: "file", about: 'the headers, as "Name: value" lines or a JSON object' },
    header: { type: "string", multiple: true, value: "Name: value", about: "one header; may be repeated" },
    secret: { type: "string", value: "whsec_…", about: "the endpoint's secret" },
    "secret-file": { type: "string", value: "file", about: "the same, out of sight of other users' ps" },
    json: JSON_OPTION,
  },
  examples: [
    "boathook verify --body body.json --headers headers.txt --secret-file secret.txt",
    "boathook verify --body - --header 'X-Air-Signature: sha256=…' --header 'X-Air-Event: ping' …",
  ],
  async run({ options }, at) {
    if (options.body === undefined) throw new CommandError("--body is missing: the file with the raw body");
    const secret = await secretOf(options.secret, options["secret-file"], at);
    const headers = {
      ...(options.headers === undefined
        ? {}
        : parseHeaders((await readInput(options.headers, at)).toString("utf8"))),
      ...parseHeaders((options.header ?? []).join("\n")),
    };
    const body = await readInput(options.body, at);
    const verified = verify(body, headers, secret);
    const hints = verified.ok ? [] : diagnose(body, headers, secret);
    if (options.json === true) {
      at.out(jsonText(verified.ok ? verified : { ok: false, reason: verified.reason, hints }));
    } else if (verified.ok) {
      const { product, delivery } = verified;
      at.out(`The signature is good: ${delivery.type} of ${product}, delivery ${delivery.id}\n`);
    } else {
      at.out(
        `The delivery does not verify: ${verified.message}.\n${hints.map((hint) => `- ${hint}\n`).join("")}`,
      );
    }
    return verified.ok ? 0 : 1;
  },
});

async function secretOf(
  secret: string | undefined,
  file: string | undefined,
  at: ProcessContext,
): Promise<string> {
  const text = secret ?? (file === undefined ? "" : (await readInput(file, at)).toString("utf8").trim());
  if (text !== "") return text;
  throw new CommandError("the secret is missing: give --secret or --secret-file");
}

async function readInput(file: string, at: ProcessContext): Promise<Buffer> {
  if (file === "-") return at.readInput();
  return readFile(file).catch((cause: Error) => {
    throw new CommandError(`${file} cannot be read: ${cause.message}`);
  });
}

/** Lines as `curl -v` and most logs show them, its `<` and `>` as well, or a JSON object. */
function parseHeaders(text: string): HeaderRecord {
  if (text.trimStart().startsWith("{")) return parseJsonHeaders(text);
  const headers: Record<string, string[]> = {};
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^\s*[<>]?\s*([A-Za-z0-9-]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) (headers[name.toLowerCase()] ??= []).push(value);
  }
  return headers;
}

function parseJsonHeaders(text: string): HeaderRecord {
  try {
    return JSON.parse(text) as HeaderRecord;
  } catch (cause) {
    throw new CommandError(`the headers are no JSON: ${(cause as Error).message}`);
  }
}
