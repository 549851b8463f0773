-- The beginning of every script of the Redis frontier: key names, arguments, numbered writes, counts.
--
-- KEYS[1] is one key of the topic, so that a cluster sends the script to the right node.  ARGV[1] is the
-- prefix of all keys (its hash tag puts them on one node), ARGV[2] the limits, ARGV[3] the hosts with
-- concurrencies of their own, as JSON, ARGV[4] the worker's number and, after a colon, the instance of the
-- frontier that it has joined, ARGV[5] the number of this write ("" if
-- the script may be lost), and ARGV[6..] are the script's own arguments.  scripts.py joins the parts.
--
--   meta      hash   format, instance, counters, leader
--   links     hash   id -> record of an open link (queued, delayed, leased)
--   q:<host>  zset   queued links: -score, place .. id (equal scores leave by place)
--   heads     zset   the best queued link of each open host: -score, place .. id .. host
--   closed    zset   hosts with queued links that may not be contacted yet: ready_at
--   hosts     hash   host -> its state: ready_at, delay, transfers, budget
--   delayed, leases, transfers   zsets   ids by retry time, by expiry, and of transfers under way
--   held:<worker>  sets of ids;  workers  zset by last heartbeat;  names  hash  name -> worker's number
--   worst     zset   queued and delayed links by score, only with a size limit
--   s:<2 bytes of the id>  hashes   links that are done ("D") or given up ("G");  closing  their order
--   bloom:<n> bitmaps  older ones;  fetched  set  those that bitmaps mark as given up although they were fetched
--             later;  reasons  hash  id -> why it last failed
local call, pack, unpack_, sub = redis.call, struct.pack, struct.unpack, string.sub
local base = ARGV[1]
local worker, instance = string.match(ARGV[4], '^(%d+):?(.*)$')
local MAX_LINKS, BUDGET, LEASE, ATTEMPTS, RETURNS, SILENT, CONCURRENCY, DELAY, EXACT =
  unpack_('>ddddddddd', ARGV[2])
local CONCURRENCIES = ARGV[3] ~= '' and cjson.decode(ARGV[3]) or {}
local META, LINKS, HEADS, CLOSED, HOSTS = base .. 'meta', base .. 'links', base .. 'heads', base .. 'closed', base .. 'hosts'
local DELAYED, LEASES, TRANSFERS, WORST = base .. 'delayed', base .. 'leases', base .. 'transfers', base .. 'worst'
local HELD, WORKERS, QUEUE = base .. 'held:', base .. 'workers', base .. 'q:'
local SEEN, CLOSING, BLOOM, REASONS = base .. 's:', base .. 'closing', base .. 'bloom:', base .. 'reasons'
local FETCHED = base .. 'fetched'
-- Flags of a record: was handed out before; came back from a lease; a bitmap contains it, as done or given up.
local STARTED, BACK, WAS_DONE, WAS_GIVEN_UP = 1, 2, 4, 8
local PLACES = 2 ^ 48 - 1
local NOW  -- set by scripts that receive the time

-- A server that lost its data has none of the worker's leases, and gives its number to another worker.
if instance ~= '' and call('HGET', META, 'instance') ~= instance then
  return redis.error_reply('LOST another frontier, or none')
end

-- Writes of a worker are numbered.  One that was sent again because its answer was lost is not executed
-- twice, and none overtakes an earlier one that has to be sent again.
if ARGV[5] ~= '' then
  local last, this = tonumber(call('HGET', base .. 'writes', worker) or '0'), tonumber(ARGV[5])
  if this <= last then return false end
  if this > last + 1 then return redis.error_reply('GAP after write ' .. last) end
  call('HSET', base .. 'writes', worker, ARGV[5])
end

local counts = {}
local function count(what, n) counts[what] = (counts[what] or 0) + n end
local function number(field) return tonumber(call('HGET', META, field) or '0') + (counts[field] or 0) end

