-- worst: order waiting links by score, because a size limit is new to this frontier.
-- ARGV[6] ids, eight bytes each.
for at = 1, #ARGV[6], 8 do
  local link = load(sub(ARGV[6], at, at + 7))
  if link and link.state ~= 'l' then call('ZADD', WORST, link.score, worst_member(link)) end
end
return 1
