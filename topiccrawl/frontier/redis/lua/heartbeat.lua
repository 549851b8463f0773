-- heartbeat: this worker is alive.  ARGV[6] now.
call('ZADD', WORKERS, ARGV[6], worker)
return 1
