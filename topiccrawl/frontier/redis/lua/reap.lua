-- reap: return leases that expired and, if ARGV[7] is "1", those of silent workers.  ARGV[6] now.
-- Returns how many came back, whether there are more, and a host whose sweep was not finished.
NOW = tonumber(ARGV[6])
local PIECE = 300
local returned, more = 0, 0
local expired = call('ZRANGEBYSCORE', LEASES, '-inf', ARGV[6], 'LIMIT', 0, PIECE)
for _, id in ipairs(expired) do
  give_back_lease(id, nil, NOW, true)
  returned = returned + 1
end
if #expired == PIECE then more = 1 end
if ARGV[7] == '1' then
  for _, silent in ipairs(call('ZRANGEBYSCORE', WORKERS, '-inf', NOW - SILENT)) do
    if silent ~= worker then
      for _, id in ipairs(call('SMEMBERS', HELD .. silent)) do
        if returned >= PIECE then more = 1 break end
        give_back_lease(id, silent, NOW, true)
        returned = returned + 1
      end
      if call('EXISTS', HELD .. silent) == 0 then call('ZREM', WORKERS, silent) end
    end
  end
end
finish()
return {returned, more, call('SRANDMEMBER', base .. 'sweeps') or ''}
