-- Links that sign an account's clients in to a product's portal. A link is signed and says itself whose it is and when it
-- ends; its row says whether it was followed and revoked. Links that an older version has minted have none.
create table portal_links (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  product text not null,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  -- When it was followed last, and when the last of its sessions ends at the latest.
  used_at timestamptz,
  sessions_until timestamptz,
  revoked_at timestamptz,
  constraint a_use_is_whole check ((used_at is null) = (sessions_until is null))
);

create index portal_links_by_account on portal_links (account_id, id);
create index portal_links_by_end on portal_links (ends_at);

alter table changes drop constraint changes_kind_check;
alter table changes add constraint changes_kind_check check (kind in ('key', 'link', 'account', 'cell'));
