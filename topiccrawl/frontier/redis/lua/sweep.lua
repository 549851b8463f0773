-- sweep: forget the links of a host that were never handed out, a piece at a time: its budget is used up.
-- ARGV[6] host, ARGV[7] how many of its queue stay so far.  Returns that number, or -1 at the end.
local host, kept = ARGV[6], tonumber(ARGV[7])
local PIECE = 300
local members = call('ZRANGE', QUEUE .. host, kept, kept + PIECE - 1)
local t = host_state(host)
for _, member in ipairs(members) do
  local link = load(sub(member, 7))
  if not link or link.state ~= 'q' then
    call('ZREM', QUEUE .. host, member)
    count('queued', -1)
    give_up_broken(sub(member, 7))
  elseif flagged(link, STARTED) then kept = kept + 1 else forget(link) end
end
if #members < PIECE then
  t.sweeping, t.dirty, t.moved, kept = 0, true, true, -1
  call('SREM', base .. 'sweeps', host)
end
finish()
return kept
