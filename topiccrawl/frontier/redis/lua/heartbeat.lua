-- heartbeat: this worker is alive.  ARGV[6] now.
call('ZADD', WORKERS, ARGV[6], worker)
local clock = tonumber(call('HGET', META, 'clock') or '')
if not clock or clock < tonumber(ARGV[6]) then call('HSET', META, 'clock', ARGV[6]) end
return 1
