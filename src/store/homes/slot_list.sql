-- $1 the kind
select slot, cell from directory.slots where kind = $1
