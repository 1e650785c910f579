-- part: lock_of_node
-- The session that holds a node's lock.
where l.locktype = 'advisory'
  and l.database = (select oid from pg_database where datname = current_database())
  and l.classid::bigint = hashtext(@lockName)::bigint & 4294967295
  and l.objid::bigint = @node::integer
  and l.objsubid = 2
  and l.granted

-- name: node_describe :many
-- What the cell's nodes registered.
select id, started_at as "startedAt", master_keys as "masterKeys", build, host, roles from cell.nodes order by id;

-- name: node_end_lock_holder :exec
-- Ends the session that holds a node's lock, unless it is the one that asks. Waits for its end, @sessionEndMsMax ms at most.
select pg_terminate_backend(l.pid, @sessionEndMsMax::bigint) as ended
from pg_locks l
@@lock_of_node
  and l.pid <> pg_backend_pid();

-- name: node_end_sessions :exec
-- Ends the sessions of the process whose connection holds the node's lock, and with them its running
-- statements: a process that is frozen in the middle of a statement, or of reading its answer, would
-- otherwise keep the locks of that statement for as long as it is frozen. Waits for their end, @sessionEndMsMax ms each
-- at most. A process is known by the name of its sessions (open.ts).
with process as (
  select a.application_name
  from pg_locks l
  join pg_stat_activity a on a.pid = l.pid
  @@lock_of_node
)
select pg_terminate_backend(a.pid, @sessionEndMsMax::bigint) as ended
from pg_stat_activity a
join process p on p.application_name = a.application_name
where a.application_name like 'boathook %'
  and a.datname = current_database()
  and a.pid <> pg_backend_pid();

-- name: node_heartbeat :many
-- Returns no row when the node has been replaced; else the number of the cell's last change of an endpoint beside each
-- other node, or beside nulls where there is none.
-- @notnull latestChange
with beaten as (
  update cell.nodes n
  set beat = beat + 1, oldest_held = @oldestHeld::uuid, server = @server::text
  from cell.changes c
  where n.id = @node::integer
  returning c.number::float8 as "latestChange"
)
select beaten."latestChange", other.id, other.beat::float8 as heartbeat, other.server
from beaten
left join cell.nodes as other on other.id <> @node::integer
order by other.id;

-- name: node_holders :many
-- The processes whose connections hold locks of the cell's nodes (@lockName, node_lock), by the name of their sessions
-- (open.ts). The address is empty on a socket of the server's machine.
-- @notnull node process address
select l.objid::integer as node, a.application_name as process, coalesce(host(a.client_addr), '') as address
from pg_locks l
join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory'
  and l.database = (select oid from pg_database where datname = current_database())
  and l.classid::bigint = hashtext(@lockName)::bigint & 4294967295
  and l.objsubid = 2
  and l.granted;

-- name: node_leave :exec
delete from cell.nodes where id = @node::integer;

-- name: node_list :many
-- All nodes but this one.
-- @notnull heartbeat
select id, beat::float8 as heartbeat, server from cell.nodes where id <> @node::integer order by id;

-- name: node_lock :exec
-- Held for as long as the node's own connection lives, so that its death is seen at once. The key is
-- made of a name of the cell's (@lockName) and the node's number.
select pg_advisory_lock(hashtext(@lockName), @node::integer);

-- name: node_lock_row :maybe
-- One node at most replaces another.
select id, oldest_held as "oldestHeld" from cell.nodes where id = @node::integer for update skip locked;

-- name: node_register :one
-- Draws a number that no node had before: who draws at the same time waits for the commit.
with numbered as (
  update cell.changes set last_node = last_node + 1 returning last_node, number
)
insert into cell.nodes (id, started_at, oldest_held, server, seen_change, master_keys, build, host, roles)
select last_node, @at::timestamptz, @oldestHeld::uuid, @server::text, number, @masterKeys::bytea, @build::text, @host::text, @roles::text from numbered
returning id;

-- name: node_takeover :many
-- Puts all that a node held back into the queue: one that is dead, or that leaves.
--
-- @oldestHeld the oldest delivery it may have held since it was raised
-- @notnull count
with unclaimed as (
  update cell.queue set node = null where node = @node::integer
),
lost as (
  update cell.deliveries
  set node = null
  where id >= @oldestHeld::uuid and node = @node::integer and status = 'pending'
  returning id, endpoint_id
),
queued as (
  insert into cell.queue (delivery_id, endpoint_id, due_at)
  select id, endpoint_id, @at::timestamptz from lost
  -- A delivery is in one place only. One that is in two must not keep a node from being taken over.
  on conflict (delivery_id) do nothing
)
select count(*)::integer as count from lost;

-- name: node_try_lock :many
-- @notnull free
select pg_try_advisory_lock(hashtext(@lockName), @node::integer) as free;

-- name: node_unlock :exec
select pg_advisory_unlock(hashtext(@lockName), @node::integer);
