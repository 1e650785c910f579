import type { Host } from "../host.ts";

const ANSWER_MS_MAX = 10_000;

/** Has a running service track containers and waybills, one after the other. Reports what it refuses and goes on. */
export async function trackReferences(
  service: { readonly url: string; readonly key: string },
  containers: readonly string[],
  waybills: readonly string[],
  host: Pick<Host, "err" | "failure">,
): Promise<void> {
  const base = service.url.replace(/\/+$/, "");
  const headers = { authorization: `Bearer ${service.key}`, "content-type": "application/json" };
  const requests = [
    ...containers.map((reference) => ({
      reference,
      url: `${base}/tracking/v1/containers`,
      request: { method: "POST", headers, body: JSON.stringify({ reference }) },
    })),
    ...waybills.map((awb) => ({
      reference: awb,
      url: `${base}/air/track/${awb}`,
      request: { method: "GET", headers: { authorization: headers.authorization } },
    })),
  ];
  for (const { reference, url, request } of requests) {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const answer = await fetch(url, { ...request, signal }).catch((cause: unknown) => {
      throw host.failure(`${service.url} does not answer: ${(cause as Error).message}`, 1);
    });
    const body = await answer.text();
    if (!answer.ok) host.err(`${reference} is not tracked: ${answer.status} ${body}\n`);
  }
}
