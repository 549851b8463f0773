-- put_back: ARGV[6] the link as in push.  Returns whether this worker had leased it.
local id, score, depth, host, pos = unpack_('>c8di4I2c0', ARGV[6])
local link = load(id)
if not mine(link) then return 0 end
take_out(link)
link.score, link.depth, link.host, link.tail = score, depth, host, sub(ARGV[6], pos)
enqueue(link)
finish()
return 1
