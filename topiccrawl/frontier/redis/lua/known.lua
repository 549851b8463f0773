-- known: ARGV[6] ids, eight bytes each.  Returns "1" or "0" for each.
local answers = {}
for at = 1, #ARGV[6], 8 do
  local id = sub(ARGV[6], at, at + 7)
  answers[#answers + 1] = (call('HEXISTS', LINKS, id) == 1 or seen(id)) and '1' or '0'
end
return table.concat(answers)
