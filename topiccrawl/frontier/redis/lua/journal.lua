-- journal: append entries.  ARGV[6] about how many are kept ("" for all), ARGV[7..] entries.
-- Returns the place of the first.
local first
for i = 7, #ARGV do
  local place
  if ARGV[6] == '' then
    place = call('XADD', base .. 'journal', '*', 'w', worker, 'd', ARGV[i])
  else
    place = call('XADD', base .. 'journal', 'MAXLEN', '~', ARGV[6], '*', 'w', worker, 'd', ARGV[i])
  end
  first = first or place
end
return first
