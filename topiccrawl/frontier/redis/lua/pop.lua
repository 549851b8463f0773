-- pop: lease the best link of an open host.  ARGV[6] now, ARGV[7] busy hosts as JSON.
-- Returns false, {id, record, host to sweep or ""}, or "more" when so many delayed links and hosts are
-- due that the call must be repeated.
NOW = tonumber(ARGV[6])
local now = ARGV[6]
local PIECE = 300

local woken = call('ZRANGEBYSCORE', DELAYED, '-inf', now, 'LIMIT', 0, PIECE)
for _, id in ipairs(woken) do
  local link = load(id)
  if link and link.state == 'd' then
    take_out(link)
    enqueue(link)
  else
    give_up_broken(id)
  end
end
local opened = call('ZRANGEBYSCORE', CLOSED, '-inf', now, 'LIMIT', 0, PIECE)
for _, host in ipairs(opened) do
  host_state(host).moved = true
end
for _, id in ipairs(call('ZRANGEBYSCORE', TRANSFERS, '-inf', now, 'LIMIT', 0, PIECE)) do
  local link = load(id)
  if link then end_transfer(link) else call('ZREM', TRANSFERS, id) end
end
if #woken + #opened > 0 or next(touched) then settle() end
if #woken == PIECE or #opened == PIECE then
  finish()
  return 'more'
end

local busy = {}
if ARGV[7] ~= '' then
  for _, host in ipairs(cjson.decode(ARGV[7])) do busy[host] = true end
end

local function candidate()
  local from, step = 0, 16
  while true do
    local heads = call('ZRANGE', HEADS, from, from + step - 1)
    for _, member in ipairs(heads) do
      local host = sub(member, 15)
      if not busy[host] then
        -- Another worker's clock may be ahead of ours.
        if host_state(host).ready <= NOW then return sub(member, 7, 14), host end
      end
    end
    if #heads < step then return nil end
    from, step = from + step, math.min(step * 2, 512)
  end
end

local id, host = candidate()
if not id then
  touched = {}
  finish()
  return false
end
local t = host_state(host)
touched = {[host] = t}
local link = load(id)
if not link or link.state ~= 'q' or link.host ~= host then
  call('ZREM', QUEUE .. host, t.old)
  count('queued', -1)
  give_up_broken(id)
  finish()
  return 'more'
end
local sweep = ''
if lease(link, true) and BUDGET > 0 and t.started >= BUDGET + t.extra and call('EXISTS', QUEUE .. host) == 1 then
  t.sweeping, sweep = 1, host
  call('SADD', base .. 'sweeps', host)
end
local raw = write(link)
finish()
return {id, raw, sweep}
