-- queues: ARGV[6] how many links are enough, ARGV[7] how many of each queue (0 = all), ARGV[8..] hosts.
-- Answers how many hosts were looked at, and of each queued link place (as eight bytes), id, score and host's position.
local most, each = tonumber(ARGV[6]), tonumber(ARGV[7])
local found, looked = {}, 0
for i = 8, #ARGV do
  if #found >= most then break end
  local links = call('ZRANGE', QUEUE .. ARGV[i], 0, each - 1, 'WITHSCORES')
  for at = 1, #links, 2 do
    found[#found + 1] = '\0\0' .. links[at] .. pack('>d', 0 - tonumber(links[at + 1])) .. pack('>I4', looked)
  end
  looked = looked + 1
end
return {looked, table.concat(found)}
