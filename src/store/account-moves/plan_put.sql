insert into cell.load_plans
  (id, account_id, name, revision, request, summary, detail, created_at, updated_at)
select id, account_id, name, revision, request, summary, detail, created_at, updated_at
from json_to_recordset($1::text::json)
  as moved (
    id uuid, account_id uuid, name text, revision integer, request text, summary text, detail text,
    created_at timestamptz, updated_at timestamptz
  )
on conflict (id) do update
set name = excluded.name, revision = excluded.revision, request = excluded.request, summary = excluded.summary,
    detail = excluded.detail, updated_at = excluded.updated_at
