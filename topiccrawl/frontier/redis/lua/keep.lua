-- keep: return all leases of a worker except some (the answer to a pop was lost, or the worker ended).
-- ARGV[6] ids to keep, eight bytes each; ARGV[7] now if the returns count against the links, else "";
-- ARGV[8] number of the worker; ARGV[9] "1" if their outcomes no longer count.  Returns how many came back.
local kept = {}
for at = 1, #ARGV[6], 8 do kept[sub(ARGV[6], at, at + 7)] = true end
local returned = 0
for _, id in ipairs(call('SMEMBERS', HELD .. ARGV[8])) do
  if not kept[id] then
    give_back_lease(id, ARGV[8], tonumber(ARGV[7]) or 0, ARGV[7] ~= '', ARGV[9] == '1')
    returned = returned + 1
  end
end
finish()
return returned
