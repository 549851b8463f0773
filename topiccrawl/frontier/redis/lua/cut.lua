-- cut: let hosts and links be due now that would wait for longer than anything may.  ARGV[6] now,
-- ARGV[7] the longest plausible moment.
local beyond = '(' .. ARGV[7]
for _, key in ipairs({DELAYED, LEASES, TRANSFERS}) do
  for _, id in ipairs(call('ZRANGEBYSCORE', key, beyond, '+inf', 'LIMIT', 0, 1000)) do
    call('ZADD', key, ARGV[6], id)
  end
end
for _, host in ipairs(call('ZRANGEBYSCORE', CLOSED, beyond, '+inf', 'LIMIT', 0, 1000)) do
  local t = host_state(host)
  t.ready, t.dirty = tonumber(ARGV[6]), true
  call('ZADD', CLOSED, ARGV[6], host)
end
settle()
return 1
