-- What the cell's nodes registered.
select id, started_at as "startedAt", master_keys as "masterKeys", build, host, roles from cell.nodes order by id
