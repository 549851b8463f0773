-- leave: deregister this worker; its leases have been returned before.  ARGV[6] its name.
call('ZREM', WORKERS, worker)
call('HDEL', base .. 'writes', worker)
if call('HGET', base .. 'names', ARGV[6]) == worker then call('HDEL', base .. 'names', ARGV[6]) end
if call('HGET', META, 'leader') == worker then call('HDEL', META, 'leader', 'leader_at') end
return 1
