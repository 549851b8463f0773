-- allow: ARGV[6] host, ARGV[7] links.
local t = know(ARGV[6])
t.extra, t.dirty = t.extra + tonumber(ARGV[7]), true
finish()
return 1
