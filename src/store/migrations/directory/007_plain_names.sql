alter table vessels rename column asked_at to polled_at;
alter table vessels rename constraint said_or_asked to reported_or_polled;

alter table port_calls rename column next_look_at to due_at;

alter table rate_lanes rename column changes_told to changes_raised;
alter table rate_lanes rename constraint rate_lanes_changes_told_check to rate_lanes_changes_raised_check;
