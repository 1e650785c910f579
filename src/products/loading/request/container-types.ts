/**
 * The standard containers. Dry ones have the minimum inner dimensions and door openings of ISO 668 and ISO 1496-1, so
 * that a plan fits every real container; a reefer's are nominal, up to its load line. Payloads are 30,480 kg gross
 * (34,000 for 40RF) less a usual tare. Sources: docs/load-planning.md.
 */
export type ContainerType = {
  readonly code: string;
  /** Inside, in whole millimetres. */
  readonly lengthMm: number;
  readonly widthMm: number;
  readonly heightMm: number;
  readonly doorWidthMm: number;
  readonly doorHeightMm: number;
  readonly payloadG: number;
  readonly tareG: number | null;
};

type Row = readonly [
  code: string,
  inside: readonly [number, number, number],
  door: readonly [number, number],
  kg: readonly [payload: number, tare: number],
];

const ROWS: readonly Row[] = [
  ["20GP", [5_867, 2_330, 2_350], [2_286, 2_261], [28_180, 2_300]],
  ["40GP", [11_998, 2_330, 2_350], [2_286, 2_261], [26_730, 3_750]],
  ["40HC", [11_998, 2_330, 2_655], [2_286, 2_566], [26_540, 3_940]],
  ["45HC", [13_532, 2_330, 2_655], [2_286, 2_566], [25_660, 4_820]],
  ["20RF", [5_440, 2_280, 2_180], [2_280, 2_180], [27_400, 3_080]],
  ["40RF", [11_580, 2_280, 2_420], [2_280, 2_420], [29_400, 4_600]],
];

export const CONTAINER_TYPES: ReadonlyMap<string, ContainerType> = new Map(
  ROWS.map(([code, [lengthMm, widthMm, heightMm], [doorWidthMm, doorHeightMm], kg]) => [
    code,
    {
      code,
      lengthMm,
      widthMm,
      heightMm,
      doorWidthMm,
      doorHeightMm,
      payloadG: kg[0] * 1_000,
      tareG: kg[1] * 1_000,
    },
  ]),
);
