-- fail: ARGV[6] id, ARGV[7] reason, ARGV[8] when to try again, "" for never.
-- Returns -1 when this worker has not leased the link, otherwise whether it will be tried again.
local id = ARGV[6]
local link = load(id)
if not mine(link) then return -1 end
take_out(link)
link.failures = link.failures + 1
local again = ARGV[8] ~= '' and link.failures < ATTEMPTS
if again then
  call('HSET', REASONS, id, ARGV[7])
  postpone(link, tonumber(ARGV[8]))
else
  end_link(link, 'G', ARGV[7])
end
finish()
return again and 1 or 0
