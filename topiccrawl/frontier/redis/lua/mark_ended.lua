-- mark_ended: record unknown links as ended.  ARGV[6] ids, eight bytes each; ARGV[7] "D" for done, "G" for
-- given up.  Returns how many were unknown.
local ended = 0
for at = 1, #ARGV[6], 8 do
  local id = sub(ARGV[6], at, at + 7)
  if call('HEXISTS', LINKS, id) == 0 and not seen(id) then
    end_link({id = id, failures = 0, returns = 0}, ARGV[7], 'rebuilt')
    ended = ended + 1
  end
end
finish()
return ended
