/**
 * `boathook mcp`: the operations of an OpenAPI document as tools of the Model Context Protocol, over stdio, for an
 * assistant. The operator's, or with a client's key those of a product.
 */
import packageJson from "../../../package.json" with { type: "json" };
import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import type { ApiAnswer, Ask } from "../../cli/context.ts";
import {
  bodyOf,
  inlined,
  operationsOf,
  urlOf,
  type ApiDocument,
  type Operation,
  type Value,
} from "../../cli/operation.ts";
import { fill } from "../../cli/template.ts";
import { KEY_FILE_OPTION, KEY_OPTION, PRODUCT_URL_OPTION } from "./client-options.ts";
import { jsonOf, keyOf, productUrl, sendThrough, withProxies } from "./client-request.ts";
import { readOperatorDocument } from "./operator.ts";

/** What an assistant reads of one answer. */
const ANSWER_LENGTH_MAX = 100_000;

const INSTRUCTIONS =
  "Boathook delivers webhooks of freight products. Why a delivery failed: read it, its attempts say what each came to. " +
  "What was sent for a container or a waybill: list the events, whose data names it, then read their deliveries.";

export const command: CommandFactory = (at) =>
  action(
    "mcp",
    "Give an assistant the API as tools of the Model Context Protocol, over stdin and stdout: the operator's, of " +
      "BOATHOOK_OPS_URL or of the store, or with --key a product's. Unless you allow more, the tools only read.",
    "boathook mcp",
    "boathook mcp --url https://webhooks.example.com/tracking --key-file key.txt",
  )
    .option("--write", "with the tools that change something, too")
    .option(...PRODUCT_URL_OPTION)
    .option(...KEY_OPTION)
    .option(...KEY_FILE_OPTION)
    .action(async ({ write = false, url, ...given }, typed) => {
      const ends = at.untilSignal();
      const hasKey = given.key !== undefined || given.keyFile !== undefined;
      // Who names a product and forgets the key does not mean the operator's.
      if (!hasKey && typed.getOptionValueSource("url") !== "cli")
        return serveTools(await readOperatorDocument(), at.ask, write, ends);
      const [base, key] = [productUrl(url), await keyOf(given, at)];
      await withProxies(at, async (proxied) => {
        const ask: Ask = async (request) => {
          const { status, text } = await sendThrough(proxied, base, key, request);
          return { status, value: jsonOf(text) };
        };
        const { status, value } = await ask({ method: "GET", url: "/openapi.json" });
        if (status !== 200) throw new CommandError(`${base} has no document of its API.`, 1);
        await serveTools(value as ApiDocument, ask, write, ends);
      });
    });

/** Until the assistant closes stdin, or the process is to end. */
async function serveTools(
  document: ApiDocument,
  ask: Ask,
  mayWrite: boolean,
  ends: Promise<unknown>,
): Promise<void> {
  const [{ Server }, { StdioServerTransport }, { CallToolRequestSchema, ListToolsRequestSchema }] =
    await Promise.all([
      import("@modelcontextprotocol/sdk/server/index.js"),
      import("@modelcontextprotocol/sdk/server/stdio.js"),
      import("@modelcontextprotocol/sdk/types.js"),
    ]);
  const operations = operationsOf(document).filter((one) => isTool(one, mayWrite));
  const about = { name: "boathook", version: packageJson.version };
  // oxlint-disable-next-line typescript/no-deprecated -- the newer one takes no JSON Schema
  const server = new Server(about, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: operations.map((one) => toolOf(one, document)),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const operation = operations.find(({ id }) => id === name);
    if (operation === undefined) return failed(`There is no tool ${name}.`);
    const missing = operation.fields.find((field) => field.isRequired && given[field.name] === undefined);
    if (missing !== undefined) return failed(`${missing.name} is missing.`);
    const values = new Map(Object.entries(given as Readonly<Record<string, Value>>));
    const body = bodyOf(operation, values);
    try {
      const { method } = operation;
      return resultOf(await ask({ method, url: urlOf(operation, values), ...(body && { body }) }));
    } catch (cause) {
      return failed((cause as Error).message);
    }
  });
  const closed = new Promise((resolve) => process.stdin.once("end", resolve));
  await server.connect(new StdioServerTransport());
  await Promise.race([closed, ends]);
  await server.close();
}

/** No tool signs in: the command has a token or a key. */
function isTool({ method, path, isJson }: Operation, mayWrite: boolean): boolean {
  return isJson && (mayWrite || method === "GET") && !path.endsWith("/session");
}

function toolOf({ id, method, summary, description, fields }: Operation, document: ApiDocument) {
  const properties = fields.map(({ name, schema, about }) => [
    name,
    { ...inlined(schema, document), ...(about !== "" && { description: about }) },
  ]);
  return {
    name: id,
    description: [`${summary}.`, description].join(" ").trim(),
    inputSchema: {
      type: "object" as const,
      properties: Object.fromEntries(properties) as Record<string, object>,
      required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    },
    annotations: { readOnlyHint: method === "GET", destructiveHint: method === "DELETE" },
  };
}

function resultOf({ status, value }: ApiAnswer) {
  if (status < 200 || status > 299) return failed(String(fill("error.message", value) ?? `status ${status}`));
  const text = JSON.stringify(value);
  const isCut = text.length > ANSWER_LENGTH_MAX;
  const shown = isCut ? `${text.slice(0, ANSWER_LENGTH_MAX)} … the rest is cut: ask for less` : text;
  return { content: [{ type: "text" as const, text: shown }] };
}

function failed(text: string) {
  return { isError: true, content: [{ type: "text" as const, text }] };
}
