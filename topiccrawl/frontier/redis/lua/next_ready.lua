-- next_ready: ARGV[6] now.  Returns the first moment after it at which a delayed link is due or a host
-- opens, or false.
local after = '(' .. ARGV[6]
local a = call('ZRANGEBYSCORE', DELAYED, after, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)[2]
local b = call('ZRANGEBYSCORE', CLOSED, after, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)[2]
if a and b then return tonumber(a) <= tonumber(b) and a or b end
return a or b or false
