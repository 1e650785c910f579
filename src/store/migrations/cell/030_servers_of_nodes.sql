-- The server where the node was at its last heartbeat, by its name among the homes of cells: on another, its lock is free
-- though it lives. Null: not known.
alter table nodes add column server text;
