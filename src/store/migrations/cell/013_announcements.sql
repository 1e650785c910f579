-- How far the announcement of each changelog entry has come among the cell's accounts
-- (producers/announcements/announcer.ts). A row is written with the events that it counts, and stays for good:
-- an entry that is finished is never announced again.
create table announcements (
  entry_id text primary key check (length(entry_id) between 1 and 100),
  -- Accounts up to this one, by id, have been told; null: none has.
  told_up_to uuid,
  told integer not null default 0 check (told >= 0),
  begun_at timestamptz not null,
  finished_at timestamptz
);

-- The day on which the cell first ran a build that announces. What was announced before it is no news here.
create table announcing (
  only_row boolean primary key default true check (only_row),
  since date not null
);
