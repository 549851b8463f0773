-- forget: drop waiting links.  ARGV[6] ids, eight bytes each.  Returns how many were dropped.
local dropped = 0
for at = 1, #ARGV[6], 8 do
  local link = load(sub(ARGV[6], at, at + 7))
  if link and link.state ~= 'l' then
    forget(link)
    dropped = dropped + 1
  end
end
finish()
return dropped
