/** Requests that the listeners answer, and requests to outside APIs, for `/metrics`. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

import type { UpstreamAnswer } from "../freight/upstream/upstream.ts";
import { CONNECTION_BOUNDS, type ConnectionWatch } from "../http/connections.ts";
import type { OnAnswered } from "../http/listener.ts";
import { statusClass } from "./attempt-metrics.ts";

const SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 5];

/** By route's template; what no route answers has the route `none`. */
export function countRequests(registry: Registry): OnAnswered {
  const requests = new Counter({
    name: "boathook_http_requests_total",
    help: "Requests answered, by the route's template, method and class of status.",
    labelNames: ["route", "method", "status"],
    registers: [registry],
  });
  const took = new Histogram({
    name: "boathook_http_request_seconds",
    help: "From a request's headers to the end of its answer.",
    labelNames: ["route", "method"],
    buckets: SECONDS,
    registers: [registry],
  });
  return (known, asked, status, seconds) => {
    const route = known ?? "none";
    const method = known === null ? "" : asked;
    requests.inc({ route, method, status: statusClass(status) });
    took.observe({ route, method }, seconds);
  };
}

/** Of the public listener. */
export function countConnections(registry: Registry): ConnectionWatch {
  const closed = new Counter({
    name: "boathook_public_connections_closed_total",
    help: "Public connections closed by a bound: that of all (the longest idle, or the new one), or that of an address.",
    labelNames: ["bound"],
    registers: [registry],
  });
  for (const bound of CONNECTION_BOUNDS) closed.inc({ bound }, 0);
  return {
    opened(count) {
      new Gauge({
        name: "boathook_public_connections",
        help: "Open connections to the public listener.",
        registers: [registry],
        collect() {
          this.set(count());
        },
      });
    },
    closed: (bound) => closed.inc({ bound }),
  };
}

/** `upstream` is one that the operator's files name. */
export function countUpstreams(registry: Registry): (upstream: string, answer: UpstreamAnswer) => void {
  const requests = new Counter({
    name: "boathook_upstream_requests_total",
    help: "Requests to outside APIs: the class of the answer's status, or why there is none.",
    labelNames: ["upstream", "outcome"],
    registers: [registry],
  });
  return (upstream, answer) => requests.inc({ upstream, outcome: outcomeOf(answer) });
}

/** As polls take it (`freight/upstream/no-answer.ts`): our credential has ended. */
function isForbidden(status: number): boolean {
  return status === 401 || status === 403;
}

function outcomeOf(answer: UpstreamAnswer): string {
  if (answer.kind === "answered")
    return isForbidden(answer.status) ? "not_permitted" : statusClass(answer.status);
  return answer.kind === "not_permitted" ? answer.kind : answer.reason;
}
