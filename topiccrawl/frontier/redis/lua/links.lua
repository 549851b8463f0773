-- Hosts whose queues a script changes, each with its best link before the change.
local touched = {}
local function touch(host)
  local t = touched[host]
  if not t then
    t = {old = call('ZRANGE', QUEUE .. host, 0, 0)[1]}
    touched[host] = t
  end
  return t
end

local HOST_STATE = 29  -- bytes of a host's state; any other length is damaged, and begun anew
-- The same with the host's state: when it may be contacted, its delay and transfers, how many of its links
-- were handed out, what was added to its budget, and whether its queue is being swept.
local function host_state(host)
  local t = touch(host)
  if not t.ready then
    local raw = call('HGET', HOSTS, host)
    if raw and #raw == HOST_STATE then
      t.ready, t.delay, t.flying, t.started, t.extra, t.sweeping = unpack_('>ddI4I4I4B', raw)
    else
      t.ready, t.delay, t.flying, t.started, t.extra, t.sweeping, t.dirty = 0, -1, 0, 0, 0, 0, true
    end
  end
  return t
end

local function full(host, t)
  local most = CONCURRENCIES[host] or CONCURRENCY
  return most > 0 and t.flying >= most
end

-- Hold a host until *moment*; ready_at moves on, never back.
local function hold(host, moment)
  local t = host_state(host)
  if moment > t.ready then t.ready, t.moved, t.dirty = moment, true, true end
  return t
end

-- Update a host's entries in heads and closed.
local function place_host(host, t)
  local best = call('ZRANGE', QUEUE .. host, 0, 0, 'WITHSCORES')
  local new = best[1]
  if not new then
    if t.old then
      call('ZREM', HEADS, t.old .. host)
      call('ZREM', CLOSED, host)
      count('hosts', -1)
    end
    return
  end
  if not t.old then count('hosts', 1) end
  local shut = t.ready > 0
  if NOW and (t.moved or not t.old) then
    shut = t.ready > NOW
    if t.old and not shut then call('ZREM', CLOSED, host) end
  elseif shut and t.old and not t.moved then
    shut = call('ZSCORE', CLOSED, host)
  end
  if shut and (t.moved or not t.old) then call('ZADD', CLOSED, t.ready, host) end
  local open = not (shut or t.sweeping == 1 or full(host, t))
  if t.old and not (open and t.old == new) then call('ZREM', HEADS, t.old .. host) end
  if open then call('ZADD', HEADS, best[2], new .. host) end
end

local function settle()
  for host, t in pairs(touched) do
    -- Most links are queued behind their host's best one, and nothing else changes.
    if t.ready or t.rescored or not t.old or call('ZRANGE', QUEUE .. host, 0, 0)[1] ~= t.old then
      place_host(host, host_state(host))
    end
    if t.dirty then
      call('HSET', HOSTS, host,
        pack('>ddI4I4I4B', t.ready, t.delay, t.flying, t.started, t.extra, t.sweeping))
    end
  end
  touched = {}
end

local function finish()
  settle()
  for what, n in pairs(counts) do
    if n ~= 0 then call('HINCRBY', META, what, string.format('%d', n)) end
  end
  counts = {}
end

-- Records: state, place, failures, returns, flags, worker that holds the lease, score, depth, host; then
-- evidence and request.
local HOST_AT = 29  -- position of the host in a record
local function read(id, raw)
  local link = {id = id}
  local pos
  link.state, link.place, link.failures, link.returns, link.flags, link.worker, link.score, link.depth, link.host, pos =
    unpack_('>c1c6I2I2BI4di4I2c0', raw)
  link.tail = sub(raw, pos)
  return link
end

local STATES = {q = true, d = true, l = true}
-- Return nil for a record that is missing or damaged.
local function load(id)
  local raw = call('HGET', LINKS, id)
  if not raw then return nil end
  local sound, link = pcall(read, id, raw)
  if not sound or not STATES[link.state] then return nil end
  if link.state == 'q' then
    local place = call('ZSCORE', QUEUE .. link.host, link.place .. id)
    if not place then return nil end
    link.score = 0 - tonumber(place)
  end
  return link
end

local function write(link)
  local raw = pack('>c1c6I2I2BI4di4I2c0', link.state, link.place, link.failures, link.returns, link.flags,
    link.worker, link.score, link.depth, #link.host, link.host) .. link.tail
  call('HSET', LINKS, link.id, raw)
  return raw
end

local function flagged(link, flag) return math.floor(link.flags / flag) % 2 == 1 end
local function set_flag(link, flag, on)
  if flagged(link, flag) ~= on then link.flags = link.flags + (on and flag or -flag) end
end

local function worst_member(link)
  return pack('>I6', PLACES - unpack_('>I6', link.place)) .. link.id
end

local function mine(link)
  return link and link.state == 'l' and link.worker == tonumber(worker)
end

-- Queue a link that is in no state.
local function enqueue(link)
  link.state = 'q'
  touch(link.host)
  call('ZADD', QUEUE .. link.host, -link.score, link.place .. link.id)
  if MAX_LINKS > 0 then call('ZADD', WORST, link.score, worst_member(link)) end
  count('queued', 1)
  write(link)
end

-- Delay a link that is in no state.
local function postpone(link, moment)
  link.state = 'd'
  call('ZADD', DELAYED, moment, link.id)
  if MAX_LINKS > 0 then call('ZADD', WORST, link.score, worst_member(link)) end
  write(link)
end

-- End the transfer of a leased link; return false if it had ended before.
local function end_transfer(link)
  if call('ZREM', TRANSFERS, link.id) == 0 then return false end
  local t = host_state(link.host)
  t.flying, t.dirty = math.max(t.flying - 1, 0), true
  return true
end

-- Take a link out of its state.
local function take_out(link)
  if link.state == 'l' then
    end_transfer(link)
    call('ZREM', LEASES, link.id)
    call('SREM', HELD .. string.format('%d', link.worker), link.id)
    return
  end
  if link.state == 'q' then
    touch(link.host)
    call('ZREM', QUEUE .. link.host, link.place .. link.id)
    count('queued', -1)
  else
    call('ZREM', DELAYED, link.id)
  end
  if MAX_LINKS > 0 then call('ZREM', WORST, worst_member(link)) end
end

-- Lease a link to this worker, whose transfer begins unless it is over; write it afterwards.  Returns whether it is
-- handed out for the first time.
local function lease(link, in_transfer)
  take_out(link)
  link.state, link.worker = 'l', tonumber(worker)
  set_flag(link, BACK, false)
  call('ZADD', LEASES, NOW + LEASE, link.id)
  call('SADD', HELD .. worker, link.id)
  call('ZADD', WORKERS, 'NX', NOW, worker)
  local t = host_state(link.host)
  t.dirty = true
  if in_transfer then
    call('ZADD', TRANSFERS, NOW + LEASE, link.id)
    t.flying = t.flying + 1
    hold(link.host, NOW + (t.delay >= 0 and t.delay or DELAY))
  end
  local first = not flagged(link, STARTED)
  set_flag(link, STARTED, true)
  if first and BUDGET > 0 then t.started = t.started + 1 end
  return first
end

-- Give up a link whose record is missing or damaged, whatever state it was in.
local function give_up_broken(id)
  for _, key in ipairs({DELAYED, LEASES, TRANSFERS}) do call('ZREM', key, id) end
  call('HDEL', LINKS, id)
  if #id == 8 then
    call('HSET', SEEN .. sub(id, 1, 2), sub(id, 3), 'G')
    call('RPUSH', CLOSING, id)
    call('HSET', REASONS, id, 'unreadable record')
  end
  count('given_up', 1)
end

-- Remove every trace of a waiting link; it is only counted, as ended if a bitmap contains it.
local function forget(link)
  take_out(link)
  call('HDEL', LINKS, link.id)
  call('HDEL', REASONS, link.id)
  count(flagged(link, WAS_DONE) and 'done' or flagged(link, WAS_GIVEN_UP) and 'given_up' or 'forgotten', 1)
end

