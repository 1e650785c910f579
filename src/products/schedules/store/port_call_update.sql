-- $1 … $19 the columns in their order; the carrier and the port do not change · $20 the time
update cell.port_calls as known
set
  service = call.service, voyage = call.voyage, import_voyage = call.import_voyage, nth = call.nth,
  vessel_imo = call.vessel_imo, vessel_name = call.vessel_name, terminal = call.terminal, status = call.status,
  arrival_at = call.arrival_at, departure_at = call.departure_at, calls_at = call.calls_at, record = call.record,
  gone_at = call.gone_at, due_at = call.due_at, measured_on = call.measured_on::date,
  on_time = call.on_time, updated_at = $20
from unnest(
  $1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[],
  $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[], $14::timestamptz[], $15::text[],
  $16::timestamptz[], $17::timestamptz[], $18::text[], $19::boolean[]
) as call (
  id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, terminal, status, arrival_at,
  departure_at, calls_at, record, gone_at, due_at, measured_on, on_time
)
where known.id = call.id
