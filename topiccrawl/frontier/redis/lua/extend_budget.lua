-- extend_budget: add to a host's budget.  ARGV[6] host, ARGV[7] links.
local t = host_state(ARGV[6])
t.extra, t.dirty = t.extra + tonumber(ARGV[7]), true
finish()
return 1
