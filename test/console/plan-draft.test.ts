/** The form of a new plan: the request that it sends, and the field that a refusal of the service is shown at. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  bodyOf,
  emptyDraft,
  emptyLine,
  refusalOf,
  type Draft,
  type Line,
} from "../../packages/console/src/freight/loading/draft.ts";
import { compileValidator } from "../../src/http/validation.ts";
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
