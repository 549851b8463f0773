-- Links that are done or given up.  The last EXACT of them are kept as fields of hashes, older ones in
-- Bloom filters; a new bitmap is begun when the last one is full.  Position i of an id is
-- h1 + i*h2 + (i^3-i)/6 (enhanced double hashing) with its two halves h1 and h2, as the id is a hash
-- already.  Two ids whose halves are equal modulo the size share all positions, which is why there are
-- no small bitmaps.  A link that was given up is in the bitmap twice, the second time with its halves exchanged;
-- as nothing can be removed, those that were fetched later are in the set FETCHED.
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

local function exchanged(id) return sub(id, 5) .. sub(id, 1, 4) end

-- Whether a link that the bitmaps contain was given up.
local function was_given_up(id)
  return in_bloom(exchanged(id)) and call('SISMEMBER', FETCHED, id) == 0
end

-- Enter an id in the newest bitmap.
local function remember(id)
  local known = bitmaps()
  if #known == 0 or (number('in_layer') + 1) * BLOOM_BITS > known[#known] then
    known[#known + 1] = math.ceil(math.max(EXACT, __BLOOM_SMALLEST_LINKS__) * BLOOM_BITS)
    call('HSET', META, 'bits:' .. #known, string.format('%d', known[#known]))
    count('layers', 1)
    count('in_layer', -number('in_layer'))
  end
  count('in_layer', 1)
  local key = BLOOM .. #known
  for position in positions(id, known[#known]) do call('SETBIT', key, position, 1) end
end

-- Move an ended link into the bitmaps.
local function archive(id)
  -- A link that was queued again in the meantime has no field any more.
  local kind = call('HGET', SEEN .. sub(id, 1, 2), sub(id, 3))
  if not kind then return end
  call('HDEL', SEEN .. sub(id, 1, 2), sub(id, 3))
  call('HDEL', REASONS, id)
  remember(id)
  if kind == 'G' then
    remember(exchanged(id))
    call('SREM', FETCHED, id)
  elseif in_bloom(exchanged(id)) then
    call('SADD', FETCHED, id)
  end
end

-- End a link that is in no state.  *kind* is "D" for done, "G" for given up.
local function end_link(link, kind, reason)
  call('HDEL', LINKS, link.id)
  call('HSET', SEEN .. sub(link.id, 1, 2), sub(link.id, 3), kind)
  local closed = call('RPUSH', CLOSING, link.id)
  if kind == 'D' then
    count('done', 1)
    if link.failures + link.returns > 0 then call('HDEL', REASONS, link.id) end
  else
    count('given_up', 1)
    call('HSET', REASONS, link.id, reason)
  end
  -- More than one at a time, so that a limit that was lowered is reached step by step.
  for _ = 1, math.min(3, closed - EXACT) do archive(call('LPOP', CLOSING)) end
end

-- Return a leased link to the queue.  *counted* returns (its worker died or the lease expired) delay it,
-- and too many of them end it.  Its outcome may still be recorded, unless it is *void*.
local function give_back(link, now, counted, void)
  take_out(link)
  set_flag(link, BACK, not void)
  if counted then link.returns = link.returns + 1 end
  if counted and link.returns > RETURNS then
    end_link(link, 'G', call('HGET', REASONS, link.id) or 'lease expired')
  elseif counted and link.returns >= 2 then
    local spread = 1 + unpack_('>I2', sub(link.id, 7)) / 65536
    postpone(link, now + __RETURN_DELAY_SECONDS__ * 2 ^ (link.returns - 2) * spread)
  else
    enqueue(link)
  end
end

-- The same for the lease of a worker, by the link's id.
local function give_back_lease(id, holder, now, counted, void)
  local link = load(id)
  if link and link.state == 'l' then
    give_back(link, now, counted, void)
  else
    for _, key in ipairs({LEASES, TRANSFERS}) do call('ZREM', key, id) end
    if not link then give_up_broken(id) end
  end
  if holder then call('SREM', HELD .. holder, id) end
end
