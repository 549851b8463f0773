-- leave: this worker closes; its leases have been given back.
call('ZREM', WORKERS, worker)
call('HDEL', base .. 'writes', worker)
if call('HGET', META, 'leader') == worker then call('HDEL', META, 'leader', 'leader_at') end
return 1
