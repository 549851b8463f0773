-- journal: append entries.  ARGV[6] about how many are kept ("" for all), ARGV[7..] entries.
for i = 7, #ARGV do
  if ARGV[6] == '' then
    call('XADD', base .. 'journal', '*', 'w', worker, 'd', ARGV[i])
  else
    call('XADD', base .. 'journal', 'MAXLEN', '~', ARGV[6], '*', 'w', worker, 'd', ARGV[i])
  end
end
return 1
