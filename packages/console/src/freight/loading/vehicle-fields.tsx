/** The vehicle that carries each container of a new plan, and what its axles may carry. */
import { NumberField } from "./field.tsx";
import { Fold } from "./fold.tsx";
import {
  allowanceOf,
  ALLOWANCES,
  groupsOf,
  withAllowance,
  withGroup,
  type GroupField,
  type VehicleDraft,
  type VehicleKind,
} from "./vehicle-draft.ts";

const KINDS: Readonly<Record<VehicleKind, string>> = {
  none: "Not known",
  lorry: "Lorry",
  trailer: "Tractor and trailer",
};

const FAR_MM = 20_000;

const FIELDS: readonly (readonly [GroupField, name: string, min: number, max: number, step: "1" | "any"])[] =
  [
    ["position_mm", "Position, mm", -FAR_MM, FAR_MM, "1"],
    ["tare_kg", "Empty, kg", 0, 100_000, "any"],
    ["max_kg", "At most, kg", 0, 100_000, "any"],
  ];

type VehicleFieldsProps = {
  readonly vehicle: VehicleDraft;
  readonly onChange: (vehicle: VehicleDraft) => void;
};

export function VehicleFields({ vehicle, onChange }: VehicleFieldsProps) {
  const { kind } = vehicle;
  return (
    <Fold title="Axles of the vehicle:" chosen={KINDS[kind].toLowerCase()} fields={/^vehicle\./}>
      <div class="filters">
        <label class="asked">
          Vehicle
          <select
            value={kind}
            onChange={({ currentTarget }) =>
              onChange({ ...vehicle, kind: currentTarget.value as VehicleKind })
            }
          >
            {Object.entries(KINDS).map(([one, name]) => (
              <option key={one} value={one}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {kind !== "none" && <AllowanceChoice vehicle={vehicle} onChange={onChange} />}
        {kind === "trailer" && (
          <NumberField
            required
            name="Kingpin, mm"
            path="vehicle.kingpin_mm"
            {...{ min: -FAR_MM, max: FAR_MM, step: "1" }}
            value={vehicle.kingpin_mm}
            onType={(kingpin_mm) => onChange({ ...vehicle, kingpin_mm })}
          />
        )}
      </div>
      {groupsOf(vehicle).map(([name, group], at) => (
        <fieldset key={name} class="line-loads">
          <legend class="quiet">Axles: {name}</legend>
          <div class="filters">
            {FIELDS.map(([field, asked, min, max, step]) => (
              <NumberField
                key={field}
                required
                {...{ name: asked, min, max, step }}
                path={`vehicle.axle_groups[${at}].${field}`}
                value={group[field]}
                onType={(typed) => onChange(withGroup(vehicle, at, { [field]: typed }))}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {kind !== "none" && (
        <p class="quiet cargo-hint">
          Positions count from the container's front wall, inside, backwards; before it they are negative.
          Empty: what the axles carry without a container, as a weighbridge shows. Measure your vehicle, and
          read its plate: it may allow less than the law, which also bounds the whole weight.
        </p>
      )}
    </Fold>
  );
}

/** Fills in the most that each group may carry. */
function AllowanceChoice({ vehicle, onChange }: VehicleFieldsProps) {
  return (
    <label class="asked">
      Most by law
      <select
        value={allowanceOf(vehicle)?.name ?? ""}
        onChange={({ currentTarget: { value } }) => {
          const allowance = ALLOWANCES.find(({ kind, name }) => kind === vehicle.kind && name === value);
          if (allowance !== undefined) onChange(withAllowance(vehicle, allowance));
        }}
      >
        <option value="">Your own</option>
        {ALLOWANCES.filter(({ kind }) => kind === vehicle.kind).map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
