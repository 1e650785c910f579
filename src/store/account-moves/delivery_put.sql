-- $1 events · $2 deliveries · $3 their rows in the queue. What is here already does not change.
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
)
insert into cell.queue (delivery_id, endpoint_id, due_at)
select delivery_id, endpoint_id, due_at
from json_to_recordset($3::text::json) as moved (delivery_id uuid, endpoint_id uuid, due_at timestamptz)
on conflict do nothing
