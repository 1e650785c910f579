-- Sessions of the console that were signed out before their end. A session is signed and says itself when it ends.
create table ended_sessions (
  id text primary key check (length(id) = 22),
  ends_at timestamptz not null
);
