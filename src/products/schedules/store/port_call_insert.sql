-- $1 … $19 the columns in their order · $20 the time
insert into cell.port_calls (
  id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, terminal, status, arrival_at,
  departure_at, calls_at, record, gone_at, due_at, measured_on, on_time, updated_at
)
select
  id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, terminal, status, arrival_at,
  departure_at, calls_at, record, gone_at, due_at, measured_on::date, on_time, $20
from unnest(
  $1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[],
  $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[], $14::timestamptz[], $15::text[],
  $16::timestamptz[], $17::timestamptz[], $18::text[], $19::boolean[]
) as call (
  id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, terminal, status, arrival_at,
  departure_at, calls_at, record, gone_at, due_at, measured_on, on_time
)
