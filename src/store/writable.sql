-- Whether the database answers, and takes writes: neither a standby nor a server or database that was made read-only.
select current_setting('transaction_read_only') = 'off' as writable
