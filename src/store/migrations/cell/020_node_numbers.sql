-- Nodes take their numbers from a counter in the cell. A sequence would not do: Citus lets a worker draw none of type
-- integer, and a move of the cell leaves behind how far it has come.
alter table changes add column last_node integer not null default 0;

update changes set last_node = (
  select greatest((select max(id) from nodes), (select last_value from nodes_id_seq where is_called), 0)
);

alter table nodes alter column id drop identity;
