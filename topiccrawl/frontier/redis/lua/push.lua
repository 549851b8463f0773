-- push: ARGV[6] "1" for again, ARGV[7..] links: id, score, depth, host, evidence, request.
-- Returns one letter per link: n(ew), m(erged), s(een), r(efused).
local again = ARGV[6] == '1'
local place
local function next_place()
  place = (place or tonumber(call('HGET', META, 'place') or '0')) + 1
  return pack('>I6', place)
end

-- Redis keeps a zset of up to 128 short members as a list, and reads every score in front of the right
-- place, some 10 µs for 17 digits each.  A long member converts it into a skip list for good (1 KB more).
local LISTED, LONG = 32, string.rep('-', 65)
local function make_searchable(queue)
  local length = call('ZCARD', queue)
  if length >= LISTED and length < LISTED + 128 then
    call('ZADD', queue, '+inf', LONG)
    call('ZREM', queue, LONG)
  end
end

local function make_room(score)
  while MAX_LINKS > 0 and number('queued') + call('ZCARD', DELAYED) >= MAX_LINKS do
    local worst = call('ZRANGE', WORST, 0, 0, 'WITHSCORES')
    if not worst[1] then return true end
    if score <= tonumber(worst[2]) then return false end
    local link = load(sub(worst[1], 7))
    if link and link.state ~= 'l' then
      forget(link)
    else
      call('ZREM', WORST, worst[1])
      if not link then give_up_broken(sub(worst[1], 7)) end
    end
  end
  return true
end

local function merge(link, new)
  local old_evidence, pos = unpack_('>I4c0', link.tail)
  local evidence, request_pos = unpack_('>I4c0', new.tail)
  local better = new.score > link.score
  if better then
    link.score = new.score
    if link.state == 'q' then
      touch(link.host).rescored = true
      call('ZADD', QUEUE .. link.host, -link.score, link.place .. link.id)
    end
    if MAX_LINKS > 0 then call('ZADD', WORST, link.score, worst_member(link)) end
  else
    evidence = old_evidence
  end
  if better or new.depth < link.depth or again then
    link.depth = math.min(link.depth, new.depth)
    local request = again and sub(new.tail, request_pos) or sub(link.tail, pos)
    link.tail = pack('>I4c0', #evidence, evidence) .. request
    write(link)
  end
end

local function admit(new)
  if BUDGET > 0 then
    local t = host_state(new.host)
    if t.started >= BUDGET + t.extra then return 'r' end
  end
  if not make_room(new.score) then return 'r' end
  new.flags = 0
  if again then
    local kind = call('HGET', SEEN .. sub(new.id, 1, 2), sub(new.id, 3))
    if kind then
      call('HDEL', SEEN .. sub(new.id, 1, 2), sub(new.id, 3))
      call('HDEL', REASONS, new.id)
      count(kind == 'G' and 'given_up' or 'done', -1)
    elseif in_bloom(new.id) then
      local given_up = was_given_up(new.id)
      new.flags = given_up and WAS_GIVEN_UP or WAS_DONE
      count(given_up and 'given_up' or 'done', -1)
    end
  end
  new.place, new.failures, new.returns, new.worker = next_place(), 0, 0, 0
  enqueue(new)
  if place % 16 == 0 then make_searchable(QUEUE .. new.host) end
  return 'n'
end

local results = {}
for i = 7, #ARGV do
  local id, score, depth, host, pos = unpack_('>c8di4I2c0', ARGV[i])
  local new = {id = id, score = score, depth = depth, host = host, tail = sub(ARGV[i], pos)}
  local link = load(id)
  if link and link.state == 'l' then
    results[#results + 1] = 's'
  elseif link then
    merge(link, new)
    results[#results + 1] = 'm'
  elseif not again and seen(id) then
    results[#results + 1] = 's'
  else
    results[#results + 1] = admit(new)
  end
end
if place then call('HSET', META, 'place', string.format('%d', place)) end
finish()
return table.concat(results)
