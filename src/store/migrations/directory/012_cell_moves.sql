-- A move under way (store/moves/move-cell.ts): the server that the cell is being copied to; then, once it lives there, the
-- one whose old copy is still to be dropped. Names of servers, empty for the directory's.
alter table cells add column moving_to text;
alter table cells add column moved_from text;
alter table cells add constraint one_step_at_a_time check (moving_to is null or moved_from is null);
