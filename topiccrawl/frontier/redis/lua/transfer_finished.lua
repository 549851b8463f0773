-- transfer_finished: ARGV[6] id, ARGV[7] ready_at, ARGV[8] the host's new delay or "".
local id = ARGV[6]
local link = load(id)
if not mine(link) or not end_transfer(link) then return 0 end
local t = hold(link.host, tonumber(ARGV[7]))
if ARGV[8] ~= '' then t.delay = tonumber(ARGV[8]) end
finish()
return 1
