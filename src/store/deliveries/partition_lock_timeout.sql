-- `drop_partitions_before` sets it for its own session only, and on Citus the workers do the dropping.
set local lock_timeout = '2s'
