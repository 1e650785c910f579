-- What carriers grant and charge for boxes at their terminals. There are some thousands at most, written by
-- hand now and then, and read whole by every node that polls.
create table tariffs (
  id uuid primary key,
  carrier text not null check (carrier ~ '^[A-Z]{2,4}$'),
  -- UN/LOCODE; null: every port.
  port text check (port ~ '^[A-Z]{2}[A-Z2-9]{3}$'),
  -- How the box's ISO 6346 size and type code begins; null: every box.
  equipment text check (length(equipment) between 1 and 4),
  valid_from date not null,
  valid_to date check (valid_to >= valid_from),
  -- Free days and rates, as JSON.
  terms text not null,
  created_at timestamptz not null,
  constraint one_tariff_a_case unique nulls not distinct (carrier, port, equipment, valid_from)
);
