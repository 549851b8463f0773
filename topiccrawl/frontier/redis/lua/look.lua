-- look: ARGV[6] ids, eight bytes each.  Returns for each its state, present score and record, or false.
local answers = {}
for at = 1, #ARGV[6], 8 do
  local link = load(sub(ARGV[6], at, at + 7))
  answers[#answers + 1] = link and pack('>c1d', link.state, link.score) .. call('HGET', LINKS, link.id) or false
end
return answers
