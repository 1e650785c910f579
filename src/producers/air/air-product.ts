import { awbOf } from "./awb.ts";

/** The product's tag: its waybills are stored and its events raised under it. */
export const AIR_PRODUCT = "air";

/** The lane in which an airline's waybills are polled; no carrier of another product has its name. */
export function laneOf(prefix: string): string {
  return `${AIR_PRODUCT}:${prefix}`;
}

/** Likewise, of a waybill by its eleven digits. */
export function laneOfWaybill(awb: string): string {
  return laneOf(awbOf(awb).prefix);
}
