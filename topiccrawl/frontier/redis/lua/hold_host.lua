-- hold_host: hand out nothing of a host for a while.  ARGV[6] host, ARGV[7] until.
hold(ARGV[6], tonumber(ARGV[7]))
finish()
return 1
