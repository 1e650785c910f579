/** What traces need of the node. */
import type { Registry } from "prom-client";

import type { NodeContext } from "../../store/node-context.ts";

export type TracePorts = Pick<NodeContext, "clock" | "random" | "log"> & { readonly registry: Registry };
