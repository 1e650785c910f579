-- Ways from port to port that carriers publish: legs by vessel that one carrier sells together. The calls themselves are
-- in port_calls, with their latest times.
create table if not exists routings (
  -- The feed that published it, and what it was asked.
  feed text not null,
  asked text not null,
  -- What tells it from other ways: a hash of its legs' services, voyages or vessels, and ports.
  way text not null check (way ~ '^[0-9a-f]{64}$'),
  carrier text not null check (carrier ~ '^[A-Z]{2,4}$'),
  -- Where its first vessel leaves, and where its last one arrives.
  origin text not null check (origin ~ '^[A-Z]{2}[A-Z2-9]{3}$'),
  destination text not null check (destination ~ '^[A-Z]{2}[A-Z2-9]{3}$'),
  -- Of its first vessel, when it was last published.
  departure_at timestamptz not null,
  -- PublishedLeg[] (products/schedules/calls/published-way.ts), as JSON.
  legs text not null,
  updated_at timestamptz not null,
  primary key (feed, asked, way)
);

create index if not exists routings_of_ports on routings (origin, destination, departure_at);
create index if not exists routings_over on routings (departure_at);
