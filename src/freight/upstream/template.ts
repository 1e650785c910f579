import { awbOf } from "../references/awb.ts";

/**
 * Puts a waybill's number where a template has `{awb}` (eleven digits), `{prefix}` (the first three) or
 * `{serial}` (the other eight). Other braces stay: messages may be JSON.
 */
export function fillTemplate(template: string, awb: string): string {
  const { prefix } = awbOf(awb);
  return template
    .replaceAll("{awb}", awb)
    .replaceAll("{prefix}", prefix)
    .replaceAll("{serial}", awb.slice(prefix.length));
}
