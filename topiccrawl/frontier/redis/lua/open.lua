-- open: register a worker.  ARGV[6] the format of this version, ARGV[7] the worker's name, ARGV[8] the
-- instance that a new frontier becomes, ARGV[9] the number of the worker's last write to another one.
-- Returns the format found and, if it is this one, also a number for the worker, whether the frontier
-- existed, whether a size limit is new to it, the number of an earlier worker of the same name ("" for
-- none), and the instance.
local found = call('HGET', META, 'format')
if found and found ~= ARGV[6] then return {found} end
call('HSET', META, 'format', ARGV[6])
call('HSETNX', META, 'instance', ARGV[8])
local before = call('HGET', base .. 'names', ARGV[7])
local joined = call('HINCRBY', META, 'joined', 1)
call('HSET', base .. 'names', ARGV[7], string.format('%d', joined))
call('HSET', base .. 'writes', string.format('%d', joined), ARGV[9])
local waiting = number('queued') + call('ZCARD', DELAYED)
if MAX_LINKS == 0 then call('DEL', WORST) end
local unordered = MAX_LINKS > 0 and call('ZCARD', WORST) ~= waiting
return {ARGV[6], joined, found and 1 or 0, unordered and 1 or 0, before or '',
  call('HGET', META, 'instance')}
