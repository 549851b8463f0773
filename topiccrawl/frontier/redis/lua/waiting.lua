-- waiting: ARGV[6] ids, eight bytes each.  Returns id and score, packed, of those queued or delayed.
local answers = {}
for at = 1, #ARGV[6], 8 do
  local id = sub(ARGV[6], at, at + 7)
  local link = load(id)
  if link and link.state ~= 'l' then answers[#answers + 1] = pack('>c8d', id, link.score) end
end
return table.concat(answers)
