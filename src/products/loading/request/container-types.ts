/**
 * The standard containers. Dry ones have the usual inner dimensions and door openings of boxes in service; those whose
 * name ends with `-ISO` have the minimum ones of ISO 668 and ISO 1496-1, so that a plan fits every real container. A
 * reefer's are nominal, up to its load line. Payloads are 30,480 kg gross (34,000 for 40RF) less a usual tare. Line
 * loads are those of the German insurers' Transport Information Service: 4.5 t/m in 20 feet, 3 t/m in 40, and not less
 * than the payload spread over the whole floor. Open tops, flat racks and platforms are as dealers list them, with the
 * height to the roof rails, the end walls or, on a platform, of a flat rack. Sources: docs/load-planning.md.
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
  /** The most that may stand on any metre of its length. Null: no limit. */
  readonly lineLoadG: number | null;
  /** What it lacks: cargo that is too high or too wide may stand out there, and none comes through a door. */
  readonly open: readonly OpenPart[];
  /** The most that cargo may stand out above the roof, and beyond each side. Null: no limit. */
  readonly overHeightMaxMm: number | null;
  readonly overWidthMaxMm: number | null;
};

export const OPEN_PARTS = ["roof", "sides"] as const;

export type OpenPart = (typeof OPEN_PARTS)[number];

type Row = readonly [
  code: string,
  inside: readonly [number, number, number],
  door: readonly [number, number],
  kg: readonly [payload: number, tare: number, lineLoad: number | null],
  open?: readonly OpenPart[],
];

const ROWS: readonly Row[] = [
  ["20GP", [5_898, 2_352, 2_393], [2_340, 2_280], [28_180, 2_300, 4_780]],
  ["40GP", [12_032, 2_352, 2_393], [2_340, 2_280], [26_730, 3_750, 3_000]],
  ["40HC", [12_032, 2_352, 2_698], [2_340, 2_585], [26_540, 3_940, 3_000]],
  ["45HC", [13_556, 2_352, 2_698], [2_340, 2_585], [25_660, 4_820, 3_000]],
  ["20RF", [5_440, 2_280, 2_180], [2_280, 2_180], [27_400, 3_080, 5_040]],
  ["40RF", [11_580, 2_280, 2_420], [2_280, 2_420], [29_400, 4_600, 3_000]],
  ["20GP-ISO", [5_867, 2_330, 2_350], [2_286, 2_261], [28_180, 2_300, 4_810]],
  ["40GP-ISO", [11_998, 2_330, 2_350], [2_286, 2_261], [26_730, 3_750, 3_000]],
  ["40HC-ISO", [11_998, 2_330, 2_655], [2_286, 2_566], [26_540, 3_940, 3_000]],
  ["45HC-ISO", [13_532, 2_330, 2_655], [2_286, 2_566], [25_660, 4_820, 3_000]],
  ["20OT", [5_894, 2_344, 2_347], [2_344, 2_347], [28_230, 2_250, 4_790], ["roof"]],
  ["40OT", [12_027, 2_344, 2_347], [2_344, 2_347], [26_680, 3_800, 3_000], ["roof"]],
  ["20FR", [5_618, 2_208, 2_233], [2_208, 2_233], [27_730, 2_750, null], ["roof", "sides"]],
  ["40FR", [12_080, 2_126, 2_043], [2_126, 2_043], [39_000, 5_800, null], ["roof", "sides"]],
  ["20PL", [6_058, 2_438, 2_233], [2_438, 2_233], [24_000, 2_750, null], ["roof", "sides"]],
  ["40PL", [12_180, 2_400, 1_950], [2_400, 1_950], [39_200, 5_800, null], ["roof", "sides"]],
];

export const CONTAINER_TYPES: ReadonlyMap<string, ContainerType> = new Map(
  ROWS.map(([code, [lengthMm, widthMm, heightMm], [doorWidthMm, doorHeightMm], kg, open = []]) => [
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
      lineLoadG: kg[2] === null ? null : kg[2] * 1_000,
      open,
      overHeightMaxMm: null,
      overWidthMaxMm: null,
    },
  ]),
);
