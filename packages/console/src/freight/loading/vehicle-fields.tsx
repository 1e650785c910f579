/** The vehicle that carries each container of a new plan, and what its axles may carry. */
import { Choice } from "../../ui/fields.tsx";
import { NumberFields } from "./field.tsx";
import { Fold } from "./fold.tsx";
import { allowanceOf, ALLOWANCES, groupsOf, withAllowance, withGroup, type VehicleDraft } from "./draft.ts";

const KINDS = [
  ["none", "Not known"],
  ["lorry", "Lorry"],
  ["trailer", "Tractor and trailer"],
] as const;

const FAR_MM = 20_000;

const KINGPIN = [["kingpin_mm", "Kingpin, mm", -FAR_MM, FAR_MM, "1"]] as const;
const AXLES = [
  ["position_mm", "Position, mm", -FAR_MM, FAR_MM, "1"],
  ["tare_kg", "Empty, kg", 0, 100_000, "any"],
  ["max_kg", "At most, kg", 0, 100_000, "any"],
] as const;

type VehicleFieldsProps = {
  readonly vehicle: VehicleDraft;
  readonly onChange: (vehicle: VehicleDraft) => void;
};

export function VehicleFields({ vehicle, onChange }: VehicleFieldsProps) {
  const { kind } = vehicle;
  const chosen = KINDS.find(([one]) => one === kind)![1];
  return (
    <Fold title="Axles of the vehicle:" chosen={chosen.toLowerCase()} fields={/^vehicle\./}>
      <div class="filters">
        <Choice
          name="Vehicle"
          class="asked"
          of={kind}
          options={KINDS}
          set={(one) => onChange({ ...vehicle, kind: one })}
        />
        {kind !== "none" && <AllowanceChoice vehicle={vehicle} onChange={onChange} />}
        {kind === "trailer" && (
          <NumberFields
            of={KINGPIN}
            values={vehicle}
            path={(key) => `vehicle.${key}`}
            set={(typed) => onChange({ ...vehicle, ...typed })}
          />
        )}
      </div>
      {groupsOf(vehicle).map(([name, group], at) => (
        <fieldset key={name} class="line-loads">
          <legend class="quiet">Axles: {name}</legend>
          <div class="filters">
            <NumberFields
              of={AXLES}
              values={group}
              path={(key) => `vehicle.axle_groups[${at}].${key}`}
              set={(typed) => onChange(withGroup(vehicle, at, typed))}
            />
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
  const known = ALLOWANCES.filter(({ kind }) => kind === vehicle.kind);
  return (
    <Choice
      name="Most by law"
      class="asked"
      of={allowanceOf(vehicle)?.name ?? ""}
      options={[["", "Your own"], ...known.map(({ name }) => [name, name] as const)]}
      set={(chosen) => {
        const allowance = known.find(({ name }) => name === chosen);
        if (allowance !== undefined) onChange(withAllowance(vehicle, allowance));
      }}
    />
  );
}
