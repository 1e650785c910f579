-- name: account_arm :exec
-- Arms demurrage alerting unless it is armed, and makes the account's shipments due for re-evaluation: boxes in
-- their last days of free time raise events now. Locks rows in the order in which polls are written. Does nothing to an
-- account that is closed or gone.
--
-- @id the message: one that the account has passed changes nothing
with behind as (
  select id, closed, last_arming < @id as is_new, demurrage_armed_at is null as is_disarmed
  from cell.accounts
  where id = @accountId
  for update
),
armed as (
  update cell.accounts as account
  set last_arming = @id, demurrage_armed_at = coalesce(demurrage_armed_at, @at)
  from behind
  where account.id = behind.id and behind.is_new and not behind.closed
),
live as (
  select shipment.id
  from behind
  join cell.shipments as shipment on shipment.account_id = behind.id
  where behind.is_new and behind.is_disarmed and not behind.closed
    and shipment.status not in ('pending', 'delivered', 'returned_empty', 'cancelled')
    and (shipment.changes_at is null or shipment.changes_at > @at)
  order by shipment.id
  for update of shipment
)
update cell.shipments as shipment
set changes_at = @at
from live
where shipment.id = live.id;

-- name: account_cell :maybe
select cell from directory.accounts where id = @accountId::uuid;

-- name: account_disarm :exec
-- Does nothing to an account that is closed or gone.
--
-- @id the message: one that the account has passed changes nothing
with behind as (
  select id, closed, last_arming < @id as is_new from cell.accounts where id = @accountId for update
)
update cell.accounts as account
set last_arming = @id, demurrage_armed_at = null
from behind
where account.id = behind.id and behind.is_new and not behind.closed;

-- name: account_insert :exec
-- @null @email
insert into directory.accounts (id, name, email, entitlements, demurrage_alerting, cell, created_at)
values (
  @id::uuid, @name::text, @email::text, @entitlements::text[], @demurrageAlerting::boolean, @number::smallint,
  @createdAt::timestamptz
);

-- name: account_insert_home :exec
insert into cell.accounts (id) values (@id::uuid);

-- name: account_list :many
-- Newest first, from behind @afterId on; null: from the newest on.
-- @null @afterId
select id, name, email, entitlements, demurrage_alerting as "demurrageAlerting", cell, created_at as "createdAt"
from directory.accounts
where @afterId::uuid is null or id < @afterId::uuid
order by id desc
limit @limit::integer;

-- name: account_list_cells :many
-- In which cells accounts live, in the order of their ids, behind @afterId.
select id, cell from directory.accounts where id > @afterId::uuid order by id limit @accountsReadMax::integer;

-- name: account_list_emails :many
-- The e-mail addresses of accounts that have one.
-- @notnull email
select id, name, email from directory.accounts where id = any(@ids::uuid[]) and email is not null;

-- name: account_list_entitled :many
-- The accounts that have an entitlement.
select id, cell from directory.accounts where entitlements @> array[@entitlement::text] order by id;

-- name: account_names :many
-- The names of some accounts.
select id, name
from directory.accounts
where id = any(@ids::uuid[]);

-- name: account_open :many
select id from cell.accounts where id = @accountId::uuid and not closed;

-- name: account_read :maybe
-- Of whatever cell: all share the directory.
select id, name, email, entitlements, demurrage_alerting as "demurrageAlerting", cell, created_at as "createdAt"
from directory.accounts
where id = @id::uuid;

-- name: account_update :maybe
-- A parameter that is null leaves its column as it is.
-- An e-mail address that is empty is none from now on.
-- @null @name @email @entitlements @demurrageAlerting
update directory.accounts
set name = coalesce(@name::text, name),
    email = nullif(coalesce(@email::text, email), ''),
    entitlements = coalesce(@entitlements::text[], entitlements),
    demurrage_alerting = coalesce(@demurrageAlerting::boolean, demurrage_alerting)
where id = @id::uuid
returning id, name, email, entitlements, demurrage_alerting as "demurrageAlerting", cell, created_at as "createdAt";
