-- size: Returns the counts queued, delayed, leased, done, given up, hosts, forgotten, and leased by this
-- worker.
local counted = call('HMGET', META, 'queued', 'done', 'given_up', 'hosts', 'forgotten')
return {tonumber(counted[1]) or 0, call('ZCARD', DELAYED), call('ZCARD', LEASES), tonumber(counted[2]) or 0,
  tonumber(counted[3]) or 0, tonumber(counted[4]) or 0, tonumber(counted[5]) or 0, call('SCARD', HELD .. worker)}
