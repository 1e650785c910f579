-- name: ended_session_find :one
-- @notnull found
select exists (select from directory.ended_sessions where id = @id::text) as found;

-- name: ended_session_insert :exec
-- Sessions that are over by now need not be known any more.
--
-- @endsAt when it ends by itself
with over as (
  delete from directory.ended_sessions where ends_at < @at::timestamptz
)
insert into directory.ended_sessions (id, ends_at)
values (@id::text, @endsAt::timestamptz)
on conflict (id) do nothing;
