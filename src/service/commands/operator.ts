/**
 * The operator's API as commands ask it: of the service that BOATHOOK_OPS_URL names, else the same routes in this
 * process, without a listener, on the store.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import { CommandError } from "../../cli/command.ts";
import type { ApiAnswer, ApiRequest, Ask, CommandContext } from "../../cli/context.ts";
import type { ApiDocument } from "../../cli/operation.ts";
import { sourceRoutes } from "../../freight/sources/routes.ts";
import { createSourceLog, type SourceLog } from "../../freight/sources/source-log.ts";
import { broadcastRoutes } from "../../freight/broadcasts/routes.ts";
import type { Listener } from "../../http/listener.ts";
import type { OperatorPorts } from "../../operator/ports.ts";
import { portalLinksRoute, type Linking } from "../../operator/portal-links.ts";
import { createOpsServer } from "../../operator/server.ts";
import { products } from "../../products/index.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { createLoopMonitor } from "../../runtime/loop-monitor.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import type { Settings } from "../../runtime/settings.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { readConfigFiles } from "../config-files.ts";
import { OPERATOR_TOKEN_FILE } from "../operator-token.ts";
import { portalUrlOf } from "../portal.ts";
import { describeSources } from "../products.ts";
import { openMasterKeys } from "../store.ts";
import { jsonOf, sendThrough, withProxies } from "./client-request.ts";
import { readSettings } from "./settings.ts";

/** Nothing but this process asks these routes. */
const TOKEN = "in-process";
export type OperatorApi = { readonly ask: Ask; close(): Promise<void> };

export function operatorApi(at: ProcessContext, open: CommandContext["open"]): OperatorApi {
  let listener: Promise<Listener> | null = null;
  let sources: SourceLog | null = null;
  let failure: StartupError | CommandError | null = null;

  async function inProcess(request: ApiRequest, options: Parameters<Ask>[1]): Promise<ApiAnswer> {
    const opened = await open(options);
    const { database, cells, settings, random, log } = opened;
    sources ??= createSourceLog({ ...opened, loops: createLoopMonitor(opened.clock, log) });
    listener ??= createRoutes({
      ...opened,
      onPushed: sources.onPushed,
      log: {
        ...{ debug: log.debug.bind(log), info: log.info.bind(log), warn: log.warn.bind(log) },
        error(fields: { readonly cause?: unknown }, message) {
          // What a person can fix is said, and not logged.
          if (fields.cause instanceof StartupError || fields.cause instanceof CommandError)
            failure = fields.cause;
          else log.error(fields, message);
        },
      },
      parkedMs: settings.parkedMs,
      historyMs: settings.historyDays * DAY_MS,
      masterKeys: () => openMasterKeys(settings, database, cells, random),
      portalUrl: (tag) => portalUrlOf(tag, settings, null),
      files: (some) => readConfigFiles(settings, some),
    });
    const routes = await listener;
    const { method, url, body, content } = request;
    const { statusCode: status, payload } = await routes.inject({
      ...{ method: method as "GET", url },
      headers: { authorization: `Bearer ${TOKEN}`, ...(content && { "content-type": content.type }) },
      ...(content && { payload: Buffer.from(content.bytes) }),
      ...(body && { payload: body }),
    });
    const said = failure;
    // An assistant asks on.
    failure = null;
    if (said !== null) throw said;
    return { status, value: jsonOf(payload) };
  }

  const ask: Ask = async (request, options) => {
    const settings = readSettings(at);
    const { opsUrl } = settings;
    if (opsUrl === null) return inProcess(request, options);
    const token = tokenOf(settings, opsUrl);
    return withProxies(at, async (proxied) => {
      const { status, text } = await sendThrough(proxied, opsUrl, token, request);
      return { status, value: jsonOf(text) };
    });
  };
  async function close(): Promise<void> {
    await sources?.stop();
    await (await listener?.catch(() => null))?.close();
  }
  return { ask, close };
}

const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** That of the setting, else of the service in this data folder, which no other machine's service is to see. */
function tokenOf({ operatorToken, dataFolder }: Settings, opsUrl: string): string {
  const file = resolve(dataFolder, OPERATOR_TOKEN_FILE);
  if (operatorToken !== null) return operatorToken;
  const isHere = THIS_MACHINE.test(new URL(opsUrl).hostname);
  if (isHere && existsSync(file)) return readFileSync(file, "utf8").trim();
  throw new CommandError("BOATHOOK_OPERATOR_TOKEN is missing: the service of BOATHOOK_OPS_URL asks for it.");
}

type StorePorts = Pick<
  OperatorPorts,
  "database" | "cells" | "productCells" | "clock" | "random" | "log" | "parkedMs" | "historyMs" | "onPushed"
> &
  Pick<Linking, "portalUrl" | "masterKeys"> & {
    readonly files: (some: typeof products) => ReturnType<typeof readConfigFiles>;
  };

async function createRoutes(ports: StorePorts): Promise<Listener> {
  const { masterKeys: _, ...others } = ports;
  const described = async () => describeSources(products, await ports.files(products));
  const ofProducts = products.map(async (product) => {
    const { tag, operatorRoutes } = product;
    return (
      (await operatorRoutes?.(async () => (await ports.files([product])).ofProducts.get(tag) ?? {})) ?? {}
    );
  });
  return createOpsServer({
    ...others,
    engine: {
      raise: () =>
        Promise.reject(new CommandError("A running service raises events: name it by BOATHOOK_OPS_URL.", 1)),
      // A command sends nothing: it need not wait for the nodes, which learn of the change at once.
      endpointChanged: async () => undefined,
    },
    products,
    productRoutes: [
      { guarded: [portalLinksRoute({ ...ports, products })] },
      broadcastRoutes,
      sourceRoutes(described),
      ...(await Promise.all(ofProducts)),
    ],
    takesFiles: true,
    operatorToken: TOKEN,
    metrics: { contentType: "text/plain; version=0.0.4; charset=utf-8", metrics: async () => "" },
    notReady: async () => ({ checks: {} }),
    illCells: async () => new Map(),
  });
}

let document: Promise<ApiDocument> | null = null;

/** What the routes say of themselves. None is asked, so that no store need be there. */
export function readOperatorDocument(): Promise<ApiDocument> {
  return (document ??= describe());
}

async function describe(): Promise<ApiDocument> {
  const nothing: unknown = new Proxy(() => undefined, {
    get: (_, name) => (typeof name === "symbol" ? undefined : nothing),
    apply: () => nothing,
  });
  const listener = await createRoutes({
    ...(Object.fromEntries(
      ["database", "productCells", "clock", "random", "log", "portalUrl", "masterKeys", "files"].map(
        (port) => [port, nothing],
      ),
    ) as StorePorts),
    cells: [nothing] as unknown as StorePorts["cells"],
  });
  await listener.ready();
  const made = listener.swagger() as unknown as ApiDocument;
  await listener.close();
  return made;
}
