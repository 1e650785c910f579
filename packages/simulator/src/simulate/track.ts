import type { Host } from "../host.ts";

const ANSWER_MS_MAX = 10_000;

/** What no other reference would change: the key is wrong, or one product's entitlement is missing. */
const REFUSED_KEY = 401;
const MISSING_ENTITLEMENT = 403;

/** The airline has not answered about the waybill; it is tracked, and the service asks again. */
const ANSWERED_LATER = new Set<unknown>(["airline_unavailable", "waybill_not_found"]);

/** The service has no entry for the airline, and mostly no airlines file at all. */
const UNKNOWN_AIRLINE = "unknown_airline";

/**
 * Has a running service track containers and waybills, one after the other. Reports what it refuses and goes on; ends
 * with the first refusal of the key.
 */
export async function trackReferences(
  service: { readonly url: string; readonly key: string },
  containers: readonly string[],
  waybills: readonly string[],
  host: Pick<Host, "err" | "failure">,
): Promise<void> {
  const headers = { authorization: `Bearer ${service.key}`, "content-type": "application/json" };
  const requests = [
    ...containers.map((reference) => ({
      reference,
      url: `${service.url}/tracking/v1/containers`,
      request: { method: "POST", headers, body: JSON.stringify({ reference }) },
    })),
    ...waybills.map((awb) => ({
      reference: awb,
      url: `${service.url}/air/track/${awb}`,
      request: { method: "GET", headers: { authorization: headers.authorization } },
    })),
  ];
  let unknown = 0;
  for (const { reference, url, request } of requests) {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const answer = await fetch(url, { ...request, signal }).catch((cause: unknown) => {
      throw host.failure(`${service.url} does not answer: ${(cause as Error).message}`, 1);
    });
    const body = await answer.text();
    if (answer.status === REFUSED_KEY) throw host.failure(`${service.url} refuses the key: ${body}`, 1);
    const code = codeOf(body);
    const isTracked = answer.ok || ANSWERED_LATER.has(code);
    if (code === UNKNOWN_AIRLINE) unknown += 1;
    else if (!isTracked) host.err(`${reference} is not tracked: ${answer.status} ${body}\n`);
    if (answer.status === MISSING_ENTITLEMENT) return host.err("No other waybill is tried.\n");
  }
  if (unknown > 0)
    host.err(
      `${unknown} of ${waybills.length} waybills are not tracked: the service has no airlines file that names ` +
        "their airlines (simulate --airlines-file writes one, BOATHOOK_AIRLINES_FILE names it)\n",
    );
}

type Refusal = { readonly error?: { readonly code?: unknown } | null } | null;

/** Undefined: what answered is not the service. */
function codeOf(body: string): unknown {
  try {
    return (JSON.parse(body) as Refusal)?.error?.code;
  } catch {
    return undefined;
  }
}
