-- resume: tell a server that may have lost its last moments what this worker is doing.  ARGV[6] now; ARGV[7] ids of
-- links that it is fetching, ARGV[8] of those whose transfer is over, eight bytes each; ARGV[9..] hosts that it has
-- contacted lately: name, ready_at, delay ("" for none).
NOW = tonumber(ARGV[6])
for i = 9, #ARGV, 3 do
  local t = hold(ARGV[i], tonumber(ARGV[i + 1]))
  if ARGV[i + 2] ~= '' then t.delay, t.dirty = tonumber(ARGV[i + 2]), true end
end
for i = 7, 8 do
  for at = 1, #ARGV[i], 8 do
    local link = load(sub(ARGV[i], at, at + 7))
    if link and link.state ~= 'l' then
      lease(link, i == 7)
      write(link)
    end
  end
end
finish()
return 1
