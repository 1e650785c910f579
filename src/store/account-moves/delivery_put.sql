-- $1 events · $2 deliveries · $3 their rows in the queue · $4 their attempts. What is here already does not change.
with raised as (
  insert into cell.events (id, account_id, product, type, occurred_at, data)
  select distinct on (id) id, account_id, product, type, occurred_at, data
  from json_to_recordset($1::text::json)
    as moved (id uuid, account_id uuid, product text, type text, occurred_at timestamptz, data text)
  on conflict do nothing
),
delivering as (
  insert into cell.deliveries
    (id, event_id, endpoint_id, attempt_count, last_status_code, status, last_error, created_at, delivered_at)
  select id, event_id, endpoint_id, attempt_count, last_status_code, status, last_error, created_at, delivered_at
  from json_to_recordset($2::text::json)
    as moved (
      id uuid, event_id uuid, endpoint_id uuid, attempt_count smallint, last_status_code smallint, status text,
      last_error text, created_at timestamptz, delivered_at timestamptz
    )
  on conflict do nothing
),
attempted as (
  insert into cell.attempts
    (delivery_id, number, ended_at, duration_ms, address, status_code, error, answer_bytes)
  select delivery_id, number, ended_at, duration_ms, address, status_code, error, answer_bytes
  from json_to_recordset($4::text::json)
    as moved (
      delivery_id uuid, number smallint, ended_at timestamptz, duration_ms integer, address text,
      status_code smallint, error text, answer_bytes integer
    )
  on conflict do nothing
)
insert into cell.queue (delivery_id, endpoint_id, due_at)
select delivery_id, endpoint_id, due_at
from json_to_recordset($3::text::json) as moved (delivery_id uuid, endpoint_id uuid, due_at timestamptz)
on conflict do nothing
