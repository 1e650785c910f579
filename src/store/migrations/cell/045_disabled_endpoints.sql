-- Why an endpoint is inactive: 'failures' or 'paused'. Null while it is active, and where an older build switched it off.
alter table endpoints add column disabled_reason text;

-- When its consecutive failures began; null without any, and where an older build counted them.
alter table endpoints add column failing_since timestamptz;

-- What was raised for it since it is inactive.
alter table endpoints add column missed_events bigint not null default 0;
