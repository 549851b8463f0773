-- shift: the server's clock was set back; move all moments with it.  ARGV[6] now; ARGV[7] by how much this
-- worker has seen it go back, "" for a worker that has just joined; ARGV[8] the least step.
-- The field "clock" of meta is the latest time of any worker: the first worker that notices moves the
-- moments, the others find them moved.  Returns whether this one has.
local now, step = tonumber(ARGV[6]), tonumber(ARGV[8])
local clock = tonumber(call('HGET', META, 'clock') or '')
local by = tonumber(ARGV[7]) or (clock and clock - now) or 0
if by <= step or (clock and clock <= now + step) then
  if not clock or clock < now then call('HSET', META, 'clock', ARGV[6]) end
  return 0
end
for _, key in ipairs({CLOSED, DELAYED, LEASES, TRANSFERS, WORKERS}) do
  local members = call('ZRANGE', key, 0, -1, 'WITHSCORES')
  for at = 1, #members, 2 do call('ZADD', key, tonumber(members[at + 1]) - by, members[at]) end
end
for _, host in ipairs(call('HKEYS', HOSTS)) do
  local t = host_state(host)
  if t.ready > 0 then t.ready, t.dirty = t.ready - by, true end
end
settle()
local leader_at = tonumber(call('HGET', META, 'leader_at') or '')
if leader_at then call('HSET', META, 'leader_at', string.format('%.6f', leader_at - by)) end
call('HSET', META, 'clock', ARGV[6])
return 1
