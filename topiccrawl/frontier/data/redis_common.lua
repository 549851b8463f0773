-- What every script of the Redis frontier begins with: keys, records, and the order of hosts.
--
-- KEYS[1] .. one key of the topic, so that a cluster sends the script to the right node; ARGV[1] the
-- beginning of all keys (its hash tag puts them on one node); ARGV[2] the limits; ARGV[3] the hosts
-- with concurrencies of their own, as JSON; ARGV[4] the worker; ARGV[5] the number of this write
-- ("" for a question); ARGV[6..] what the script is about.
--
--   meta      hash   format, counters, who leads
--   links     hash   id -> record of an open link (queued, delayed, leased)
--   q:<host>  zset   queued links: -score, place .. id (equal scores leave by place)
--   heads     zset   the best queued link of each open host: -score, place .. id .. host
--   closed    zset   hosts with queued links whose moment has not come: ready_at
--   hosts     hash   host -> what is remembered of it
--   delayed, leases, transfers   zsets   id by retry time, by expiry, and transfers under way
--   owner     hash   id -> worker;  held:<worker>  set of ids;  workers  zset by last beat
--   worst     zset   queued and delayed links by score, only with a size limit
--   s:<2 bytes of the id>  hashes   links that are done ("D") or given up ("G"); closing: their order
--   bloom:<n> bitmaps  older ones;  reasons  hash id -> why it last failed
local call, pack, unpack_, sub = redis.call, struct.pack, struct.unpack, string.sub
local base, worker = ARGV[1], ARGV[4]
local MAX_LINKS, BUDGET, LEASE, ATTEMPTS, RETURNS, SILENT, CONCURRENCY, DELAY, EXACT =
  unpack_('>ddddddddd', ARGV[2])
local CONCURRENCIES = ARGV[3] ~= '' and cjson.decode(ARGV[3]) or {}
local META, LINKS, HEADS, CLOSED, HOSTS = base .. 'meta', base .. 'links', base .. 'heads', base .. 'closed', base .. 'hosts'
local DELAYED, LEASES, TRANSFERS, WORST = base .. 'delayed', base .. 'leases', base .. 'transfers', base .. 'worst'
local OWNER, HELD, WORKERS, QUEUE = base .. 'owner', base .. 'held:', base .. 'workers', base .. 'q:'
local SEEN, CLOSING, BLOOM, REASONS = base .. 's:', base .. 'closing', base .. 'bloom:', base .. 'reasons'
local STARTED, BACK = 1, 2  -- flags of a record: was handed out; came back from a lease
local PLACES = 2 ^ 48 - 1
local NOW  -- set by scripts that know the time

-- A write that was sent again because its answer got lost is not done twice.
if ARGV[5] ~= '' then
  local last = call('HGET', base .. 'writes', worker)
  if last and tonumber(last) >= tonumber(ARGV[5]) then return false end
  call('HSET', base .. 'writes', worker, ARGV[5])
end

local counts = {}
local function count(what, n) counts[what] = (counts[what] or 0) + n end
local function number(field) return tonumber(call('HGET', META, field) or '0') + (counts[field] or 0) end

-- Hosts that a script changes: their best link before, and what is remembered of them.
local touched = {}
local function touch(host)
  local t = touched[host]
  if not t then
    t = {old = call('ZRANGE', QUEUE .. host, 0, 0)[1]}
    local raw = call('HGET', HOSTS, host)
    if raw then
      t.ready, t.delay, t.flying, t.started, t.extra, t.sweeping = unpack_('>ddI4I4I4B', raw)
    else
      t.ready, t.delay, t.flying, t.started, t.extra, t.sweeping, t.dirty = 0, -1, 0, 0, 0, 0, true
    end
    touched[host] = t
  end
  return t
end

local function full(host, t)
  local most = CONCURRENCIES[host] or CONCURRENCY
  return most > 0 and t.flying >= most
end

-- The moment of a host moves on, never back.
local function hold(host, moment)
  local t = touch(host)
  if moment > t.ready then t.ready, t.moved, t.dirty = moment, true, true end
  return t
end

-- Bring heads and closed up to date with the hosts that were touched.
local function settle()
  for host, t in pairs(touched) do
    local best = call('ZRANGE', QUEUE .. host, 0, 0, 'WITHSCORES')
    local new = best[1]
    if not new then
      if t.old then
        call('ZREM', HEADS, t.old .. host)
        call('ZREM', CLOSED, host)
        count('hosts', -1)
      end
    else
      if not t.old then count('hosts', 1) end
      local shut = t.ready > 0
      if NOW and (t.moved or not t.old) then
        shut = t.ready > NOW
        if t.old and not shut then call('ZREM', CLOSED, host) end
      elseif shut and t.old and not t.moved then
        shut = call('ZSCORE', CLOSED, host)
      end
      if shut and (t.moved or not t.old) then call('ZADD', CLOSED, t.ready, host) end
      if shut or t.sweeping == 1 or full(host, t) then
        if t.old then call('ZREM', HEADS, t.old .. host) end
      else
        if t.old and t.old ~= new then call('ZREM', HEADS, t.old .. host) end
        call('ZADD', HEADS, best[2], new .. host)
      end
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

-- Records: state, place, failures, returns, flags, score, depth, host; then evidence and request.
local function read(id, raw)
  local link = {id = id}
  local pos
  link.state, link.place, link.failures, link.returns, link.flags, link.score, link.depth, link.host, pos =
    unpack_('>c1c6I2I2Bdi4I2c0', raw)
  link.tail = sub(raw, pos)
  return link
end

local function load(id)
  local raw = call('HGET', LINKS, id)
  if not raw then return nil end
  local link = read(id, raw)
  if link.state == 'q' then
    link.score = 0 - tonumber(call('ZSCORE', QUEUE .. link.host, link.place .. id))
  end
  return link
end

local function write(link)
  local raw = pack('>c1c6I2I2Bdi4I2c0', link.state, link.place, link.failures, link.returns, link.flags,
    link.score, link.depth, #link.host, link.host) .. link.tail
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

-- Put a link that is nowhere into a state where it waits.
local function enqueue(link)
  link.state = 'q'
  touch(link.host)
  call('ZADD', QUEUE .. link.host, -link.score, link.place .. link.id)
  if MAX_LINKS > 0 then call('ZADD', WORST, link.score, worst_member(link)) end
  count('queued', 1)
  write(link)
end

local function postpone(link, moment)
  link.state = 'd'
  call('ZADD', DELAYED, moment, link.id)
  if MAX_LINKS > 0 then call('ZADD', WORST, link.score, worst_member(link)) end
  write(link)
end

-- The transfer of a leased link is over; false if it was over before.
local function land(link)
  if call('ZREM', TRANSFERS, link.id) == 0 then return false end
  local t = touch(link.host)
  t.flying, t.dirty = math.max(t.flying - 1, 0), true
  return true
end

-- Take a link out of the state it is in.
local function take_out(link)
  if link.state == 'l' then
    land(link)
    call('ZREM', LEASES, link.id)
    local whose = call('HGET', OWNER, link.id)
    if whose then
      call('SREM', HELD .. whose, link.id)
      call('HDEL', OWNER, link.id)
    end
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

local function forget(link)
  take_out(link)
  call('HDEL', LINKS, link.id)
  call('HDEL', REASONS, link.id)
  count('forgotten', 1)
end

-- Links that are done or given up: exact up to EXACT of them, older ones in bitmaps, one after the
-- other as each is full.  A position is h1 + i*h2 + (i^3-i)/6 (enhanced double hashing); no further
-- hashing, the id is a hash already.
local PROBES, BLOOM_BITS = __BLOOM_PROBES__, __BLOOM_BITS_PER_LINK__
local function positions(id, bits)
  local h1, h2 = unpack_('>I4I4', id)
  local i = -1
  return function()
    i = i + 1
    if i < PROBES then return string.format('%d', (h1 + i * h2 + (i * i * i - i) / 6) % bits) end
  end
end

local layers = nil  -- sizes of the bitmaps in bits
local function bitmaps()
  if not layers then
    layers = {}
    for n = 1, number('layers') do layers[n] = tonumber(call('HGET', META, 'bits:' .. n)) end
  end
  return layers
end

local function in_bloom(id)
  for layer, bits in ipairs(bitmaps()) do
    local all = true
    for position in positions(id, bits) do
      if call('GETBIT', BLOOM .. layer, position) == 0 then all = false break end
    end
    if all then return true end
  end
  return false
end

local function seen(id)
  return call('HGET', SEEN .. sub(id, 1, 2), sub(id, 3)) or (in_bloom(id) and 'B')
end

local function make_old(id)
  -- One that was queued again meanwhile is not there any more.
  if call('HDEL', SEEN .. sub(id, 1, 2), sub(id, 3)) == 0 then return end
  call('HDEL', REASONS, id)
  count('exact', -1)
  local known = bitmaps()
  if #known == 0 or (number('in_layer') + 1) * BLOOM_BITS > known[#known] then
    known[#known + 1] = math.ceil(EXACT * BLOOM_BITS)
    call('HSET', META, 'bits:' .. #known, string.format('%d', known[#known]))
    count('layers', 1)
    count('in_layer', -number('in_layer'))
  end
  count('in_layer', 1)
  local key = BLOOM .. #known
  for position in positions(id, known[#known]) do call('SETBIT', key, position, 1) end
end

-- End a link that is in no state: "D" done, "G" given up.
local function end_link(link, kind, reason)
  call('HDEL', LINKS, link.id)
  if call('HSET', SEEN .. sub(link.id, 1, 2), sub(link.id, 3), kind) == 1 then
    count('exact', 1)
    call('RPUSH', CLOSING, link.id)
  end
  if kind == 'D' then
    count('done', 1)
    call('HDEL', REASONS, link.id)
  else
    count('given_up', 1)
    call('HSET', REASONS, link.id, reason)
  end
  -- A few more than came: a limit that was lowered is reached little by little.
  for _ = 1, math.min(3, number('exact') - EXACT) do
    local oldest = call('LPOP', CLOSING)
    if oldest then make_old(oldest) end
  end
end

-- A leased link comes back; with a mark against it when its worker died or its time was over.
local function give_back(link, now, marked)
  take_out(link)
  set_flag(link, BACK, true)
  if marked then link.returns = link.returns + 1 end
  if marked and link.returns > RETURNS then
    end_link(link, 'G', call('HGET', REASONS, link.id) or 'lease expired')
  elseif marked and link.returns >= 2 then
    local spread = 1 + unpack_('>I2', sub(link.id, 7)) / 65536
    postpone(link, now + __RETURN_DELAY_SECONDS__ * 2 ^ (link.returns - 2) * spread)
  else
    enqueue(link)
  end
end
