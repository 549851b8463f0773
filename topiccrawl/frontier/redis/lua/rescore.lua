-- rescore: ARGV[6] ids and scores, eight bytes each, in turn.  Returns how many scores changed.
local changed = 0
local data = ARGV[6]
for at = 1, #data, 16 do
  local id = sub(data, at, at + 7)
  local raw = call('HGET', LINKS, id)
  local state = raw and sub(raw, 1, 1)
  if state == 'q' and MAX_LINKS == 0 then
    local score = unpack_('>d', data, at + 8)
    local sound, host = pcall(unpack_, '>I2c0', raw, HOST_AT)
    if sound then touch(host).rescored = true end
    changed = changed + (sound and call('ZADD', QUEUE .. host, 'XX', 'CH', -score, sub(raw, 2, 7) .. id) or 0)
  elseif state == 'q' or state == 'd' then
    local link, score = load(id), unpack_('>d', data, at + 8)
    if link and link.score ~= score then
      changed = changed + 1
      link.score = score
      if state == 'q' then
        touch(link.host).rescored = true
        call('ZADD', QUEUE .. link.host, -score, link.place .. id)
      else
        write(link)
      end
      if MAX_LINKS > 0 then call('ZADD', WORST, score, worst_member(link)) end
    end
  end
end
finish()
return changed
