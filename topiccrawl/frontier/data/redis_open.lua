-- open: ARGV[6] the format of this version.  Answers the format found, and when it is this one, also a
-- number for this worker in the journal, whether the frontier was there, and whether a size limit is
-- new to it.
local found = call('HGET', META, 'format')
if found and found ~= ARGV[6] then return {found} end
call('HSET', META, 'format', ARGV[6])
call('HDEL', base .. 'writes', worker)
local waiting = number('queued') + call('ZCARD', DELAYED)
if MAX_LINKS == 0 then call('DEL', WORST) end
local unordered = MAX_LINKS > 0 and call('ZCARD', WORST) ~= waiting
return {ARGV[6], call('HINCRBY', META, 'joined', 1), found and 1 or 0, unordered and 1 or 0}
