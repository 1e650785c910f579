/** What a surcharge is charged for: a container, a bill of lading, or a percentage of a container's base rate. */
export const PER = ["container", "bill", "percent"] as const;

export type Per = (typeof PER)[number];
