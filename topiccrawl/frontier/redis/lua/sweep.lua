-- sweep: a host's budget is used up; forget what was never handed out, a piece at a time.
-- ARGV[6] host, ARGV[7] how many of its queue are to stay so far.  Answers that number, -1 at the end.
local host, kept = ARGV[6], tonumber(ARGV[7])
local PIECE = 300
local members = call('ZRANGE', QUEUE .. host, kept, kept + PIECE - 1)
local t = know(host)
for _, member in ipairs(members) do
  local link = load(sub(member, 7))
  if flagged(link, STARTED) then kept = kept + 1 else forget(link) end
end
if #members < PIECE then
  t.sweeping, t.dirty, t.moved, kept = 0, true, true, -1
  call('SREM', base .. 'sweeps', host)
end
finish()
return kept
