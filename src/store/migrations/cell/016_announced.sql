-- An announcement is a broadcast now, and the row of its entry says for good that it was added. One that is under
-- way is added anew: the accounts that have been told are passed over by the keys of their events.
delete from announcements where finished_at is null;

alter table announcements
  drop column told_up_to,
  drop column told,
  drop column begun_at;
alter table announcements rename column finished_at to announced_at;
alter table announcements alter column announced_at set not null;
