-- queues: read the queues of hosts.  ARGV[6] number of links after which no further host is read,
-- ARGV[7] best links of each queue (0 for all), ARGV[8..] hosts.
-- Returns how many hosts were read, and of each link its place (eight bytes), id, score and the host's
-- position among the arguments.
local most, each = tonumber(ARGV[6]), tonumber(ARGV[7])
local found, hosts_read = {}, 0
for i = 8, #ARGV do
  if #found >= most then break end
  local links = call('ZRANGE', QUEUE .. ARGV[i], 0, each - 1, 'WITHSCORES')
  for at = 1, #links, 2 do
    if #links[at] == 14 then
      found[#found + 1] = '\0\0' .. links[at] .. pack('>d', 0 - tonumber(links[at + 1])) .. pack('>I4', hosts_read)
    end
  end
  hosts_read = hosts_read + 1
end
return {hosts_read, table.concat(found)}
