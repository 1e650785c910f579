/** The form of a new plan: the request that it sends, and the field that a refusal of the service is shown at. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  allowanceOf,
  ALLOWANCES,
  bodyOf,
  emptyDraft,
  emptyLine,
  emptyPallet,
  emptyVehicle,
  GROUPS,
  hasOpenSides,
  OPEN_TYPES,
  PALLETS,
  refusalOf,
  withAllowance,
  withGroup,
  type Draft,
  type GroupDraft,
  type Line,
  type PalletDraft,
  type VehicleDraft,
} from "../../packages/console/src/freight/loading/draft.ts";
import { compileValidator } from "../../src/http/validation.ts";
import { CONTAINER_TYPES } from "../../src/products/loading/request/container-types.ts";
import { PALLET_CODES } from "../../src/products/loading/request/pallet-types.ts";
import { readLoadRequest } from "../../src/products/loading/request/read-request.ts";
import { PlanRequestSchema } from "../../src/products/loading/request/request-schema.ts";

const measured = (key: number, part: Partial<Line> = {}): Line => ({
  ...emptyLine(key),
  ...{ length_mm: "1200", width_mm: "800", height_mm: "1000", weight_kg: "400.5" },
  ...part,
});
const draftOf = (part: Partial<Draft>): Draft => ({ ...emptyDraft(), lines: [measured(0)], ...part });

/** What the service says against a draft; null: nothing. */
function refusedOf(draft: Draft): string | null {
  const body = bodyOf(draft);
  const validator = compileValidator({ schema: PlanRequestSchema, httpPart: "body" } as never);
  const checked = validator(body) as { readonly error?: Error };
  if (checked.error !== undefined) return checked.error.message;
  const read = readLoadRequest(body as never);
  return read.kind === "invalid" ? read.message : null;
}

/** As `ui/api.ts` shows a message. */
const shown = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

test("what is left empty is not sent, and limits are", () => {
  assert.deepEqual(bodyOf(draftOf({ types: ["40HC", "20GP"] })), {
    cargo: [
      {
        ...{ length_mm: 1_200, width_mm: 800, height_mm: 1_000, weight_kg: 400.5, count: 1 },
        ...{ stackable: true, upright: ["height"] },
      },
    ],
    containers: [{ type: "20GP" }, { type: "40HC" }],
    max_off_centre: {},
  });
  const limited = bodyOf(
    draftOf({
      types: ["40HC"],
      lineLoads: { "40HC": "2500", "20GP": "1" },
      offCentre: { length: "10", width: "" },
      lines: [measured(0, { max_load_kg: "900", layers_max: "2", stop: "3" })],
    }),
  );
  assert.deepEqual(limited.containers, [{ type: "40HC", max_line_load_kg_m: 2_500 }]);
  assert.deepEqual(limited.max_off_centre, { length: 0.1 });
  const [line] = limited.cargo;
  assert.deepEqual([line!.max_load_kg, line!.layers_max, line!.stop], [900, 2, 3]);
  assert.equal(bodyOf(draftOf({ isCentred: false })).max_off_centre, null);
  for (const part of [{}, { isCentred: false }, { offCentre: { length: "50", width: "0" } }])
    assert.equal(refusedOf(draftOf(part)), null);
});

test("a cylinder is sent with its diameter, and a box without", () => {
  const drum = measured(0, { shape: "cylinder", diameter_mm: "600", mayTip: true });
  const draft = draftOf({ lines: [drum] });
  assert.deepEqual(bodyOf(draft).cargo, [
    {
      ...{ shape: "cylinder", diameter_mm: 600, lying: true, height_mm: 1_000 },
      ...{ weight_kg: 400.5, count: 1, stackable: true },
    },
  ]);
  assert.equal(refusedOf(draft), null);
});

const palletised = (part: Partial<PalletDraft>): Draft =>
  draftOf({ lines: [measured(0, { palletised: true })], pallet: { ...emptyPallet(), ...part } });

const OWN: Partial<PalletDraft> = {
  ...{ type: "own", name: "half", length_mm: "800", width_mm: "600", height_mm: "150" },
  ...{ tare_kg: "9.5", max_load_kg: "400" },
};

test("a pallet is sent if a line is palletised: one that the service knows, or one with its measures", () => {
  const unused = bodyOf(draftOf({ pallet: { ...emptyPallet(), height_mm_max: "1500" } }));
  assert.equal("pallet" in unused, false);
  assert.equal("palletised" in unused.cargo[0]!, false);
  const known = PALLETS.map(([type]) => type).filter((type) => type !== "own");
  assert.deepEqual(known, PALLET_CODES);
  for (const type of known) assert.equal(refusedOf(palletised({ type, length_mm: "1" })), null);
  const limits = { max_load_kg: "900", height_mm_max: "1500", overhang_mm: "20", stackable: true };
  const body = bodyOf(palletised(limits));
  assert.equal(body.cargo[0]!.palletised, true);
  assert.deepEqual(body.pallet, {
    ...{ type: "EUR", max_load_kg: 900, height_mm_max: 1_500, overhang_mm: 20, stackable: true },
  });
  assert.deepEqual(bodyOf(palletised(OWN)).pallet, {
    ...{ type: "half", length_mm: 800, width_mm: 600, height_mm: 150, tare_kg: 9.5, max_load_kg: 400 },
  });
  assert.equal(refusedOf(palletised(OWN)), null);
});

test("an open type is sent with how far cargo may stand out where it is open", () => {
  const open = [...CONTAINER_TYPES.values()].filter((type) => type.open.length > 0);
  assert.deepEqual(
    open.map(({ code }) => code),
    OPEN_TYPES,
  );
  for (const { code, open: parts } of open)
    assert.equal(hasOpenSides(code as (typeof OPEN_TYPES)[number]), parts.includes("sides"), code);
  const draft = draftOf({
    types: ["40FR", "20OT", "20GP"],
    overs: { "40FR": { height: "500", width: "0" }, "20OT": { height: "", width: "" } },
  });
  assert.deepEqual(bodyOf(draft).containers, [
    { type: "20GP" },
    { type: "20OT" },
    { type: "40FR", max_over_height_mm: 500, max_over_width_mm: 0 },
  ]);
  assert.equal(refusedOf(draft), null);
});

const GROUPS_TYPED: readonly GroupDraft[] = [
  { position_mm: "-2300", tare_kg: "5300", max_kg: "8000" },
  { position_mm: "1300", tare_kg: "3400", max_kg: "11500" },
  { position_mm: "8700", tare_kg: "3800", max_kg: "24000" },
];
const driven = (part: Partial<VehicleDraft>, group: Partial<GroupDraft> = {}): Draft => {
  const vehicle = { ...emptyVehicle(), kind: "trailer" as const, kingpin_mm: "700", groups: GROUPS_TYPED };
  return draftOf({ vehicle: withGroup({ ...vehicle, ...part }, 1, group) });
};

test("a vehicle is sent with the groups of axles of its kind, and the law fills in what they may carry", () => {
  assert.equal("vehicle" in bodyOf(driven({ kind: "none" })), false);
  const trailer = bodyOf(driven({})).vehicle!;
  assert.equal(trailer.kingpin_mm, 700);
  assert.deepEqual(
    trailer.axle_groups.map(({ name }) => name),
    GROUPS.trailer,
  );
  assert.deepEqual(trailer.axle_groups[0], {
    ...{ name: "steering", position_mm: -2_300, tare_kg: 5_300, max_kg: 8_000 },
  });
  const lorry = bodyOf(driven({ kind: "lorry" })).vehicle!;
  assert.deepEqual([lorry.axle_groups.length, "kingpin_mm" in lorry], [2, false]);
  for (const allowance of ALLOWANCES) {
    const { vehicle } = driven({ kind: allowance.kind });
    assert.equal(allowanceOf(vehicle), undefined);
    const filled = withAllowance(vehicle, allowance);
    assert.equal(allowanceOf(filled), allowance);
    const body = bodyOf(draftOf({ vehicle: filled }));
    assert.deepEqual(
      body.vehicle!.axle_groups.map(({ max_kg }) => max_kg),
      allowance.maxKg,
    );
    assert.equal(refusedOf(draftOf({ vehicle: filled })), null);
  }
});

test("each refusal of a field of the form is shown at it, and others are shown whole", () => {
  const ofSecondLine = (part: Partial<Line>): Draft =>
    draftOf({ lines: [measured(0, { id: "a" }), measured(1, part)] });
  const wrong: Readonly<Record<string, Draft>> = {
    name: draftOf({ name: "x".repeat(201) }),
    "max_off_centre.length": draftOf({ offCentre: { length: "60", width: "" } }),
    "max_off_centre.width": draftOf({ offCentre: { length: "", width: "-1" } }),
    "containers[1].max_line_load_kg_m": draftOf({ lineLoads: { "40GP": "100001" } }),
    "cargo[1].id": ofSecondLine({ id: "a" }),
    "cargo[1].length_mm": ofSecondLine({ length_mm: "0" }),
    "cargo[1].width_mm": ofSecondLine({ width_mm: "1.5" }),
    "cargo[1].height_mm": ofSecondLine({ height_mm: "20001" }),
    "cargo[1].diameter_mm": ofSecondLine({ shape: "cylinder", diameter_mm: "0" }),
    "cargo[1].weight_kg": ofSecondLine({ weight_kg: "-1" }),
    "cargo[1].count": ofSecondLine({ count: "0" }),
    "cargo[1].max_load_kg": ofSecondLine({ max_load_kg: "-1" }),
    "cargo[1].layers_max": ofSecondLine({ layers_max: "0" }),
    "cargo[1].stop": ofSecondLine({ stop: "101" }),
    "containers[0].max_over_height_mm": draftOf({
      types: ["20OT"],
      overs: { "20OT": { height: "1.5", width: "" } },
    }),
    "containers[1].max_over_width_mm": draftOf({
      types: ["20FR", "40FR"],
      overs: { "40FR": { height: "", width: "20001" } },
    }),
    "pallet.type": palletised({ ...OWN, name: " " }),
    "pallet.length_mm": palletised({ ...OWN, length_mm: "0" }),
    "pallet.width_mm": palletised({ ...OWN, width_mm: "1.5" }),
    "pallet.height_mm": palletised({ ...OWN, height_mm: "20001" }),
    "pallet.tare_kg": palletised({ ...OWN, tare_kg: "-1" }),
    "pallet.max_load_kg": palletised({ max_load_kg: "100001" }),
    "pallet.height_mm_max": palletised({ height_mm_max: "144" }),
    "pallet.overhang_mm": palletised({ overhang_mm: "501" }),
    "vehicle.kingpin_mm": driven({ kingpin_mm: "8700" }),
    "vehicle.axle_groups[1].position_mm": driven({}, { position_mm: "-2300" }),
    "vehicle.axle_groups[1].tare_kg": driven({}, { tare_kg: "-1" }),
    "vehicle.axle_groups[1].max_kg": driven({}, { max_kg: "100001" }),
  };
  for (const [field, draft] of Object.entries(wrong)) {
    const message = refusedOf(draft);
    assert.ok(message !== null, field);
    const refusal = refusalOf(shown(message));
    assert.equal(refusal.field, field, message);
    assert.match(refusal.message, /^[A-Z].*\.$/);
  }
  const all = shown(refusedOf(ofSecondLine({ count: "20000" }))!);
  assert.deepEqual(refusalOf(all), { field: null, message: all });
  for (const message of ["You have 1000 plans already; delete some first.", "Body.cargo[0].upright must be."])
    assert.deepEqual(refusalOf(message), { field: null, message });
});
