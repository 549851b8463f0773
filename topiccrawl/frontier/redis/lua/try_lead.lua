-- try_lead: ARGV[6] now.  Returns whether this worker ranks for all.
local leader, asked = call('HGET', META, 'leader'), call('HGET', META, 'leader_at')
if leader and leader ~= worker and tonumber(asked) + SILENT > tonumber(ARGV[6]) then return 0 end
call('HSET', META, 'leader', worker, 'leader_at', ARGV[6])
return 1
