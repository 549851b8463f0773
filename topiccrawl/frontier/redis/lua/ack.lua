-- ack: end links whose outcomes are recorded: leased ones of this worker, and those that came back.
-- ARGV[6] ids, eight bytes each.
-- Returns how many became done.
local done = 0
for at = 1, #ARGV[6], 8 do
  local link = load(sub(ARGV[6], at, at + 7))
  if mine(link) or (link and flagged(link, BACK)) then
    take_out(link)
    end_link(link, 'D')
    done = done + 1
  end
end
finish()
return done
