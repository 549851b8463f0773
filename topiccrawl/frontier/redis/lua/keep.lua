-- keep: this worker holds these leases and no others (a pop's answer got lost, or it starts again).
-- ARGV[6] ids, eight bytes each; ARGV[7] now for leases of a worker that died, "" without a mark;
-- ARGV[8] the number of that worker.
local really = {}
for at = 1, #ARGV[6], 8 do really[sub(ARGV[6], at, at + 7)] = true end
local returned = 0
for _, id in ipairs(call('SMEMBERS', HELD .. ARGV[8])) do
  if not really[id] then
    give_back(load(id), tonumber(ARGV[7]) or 0, ARGV[7] ~= '')
    returned = returned + 1
  end
end
finish()
return returned
