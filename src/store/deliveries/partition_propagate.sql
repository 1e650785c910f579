-- On Citus, the settings of this transaction are those of its sessions on the workers too. Elsewhere it means nothing.
set local citus.propagate_set_commands = 'local'
