-- journal: ARGV[6] this worker's number, ARGV[7] about how many entries are kept ("" = all),
-- ARGV[8..] entries.
for i = 8, #ARGV do
  if ARGV[7] == '' then
    call('XADD', base .. 'journal', '*', 'w', ARGV[6], 'd', ARGV[i])
  else
    call('XADD', base .. 'journal', 'MAXLEN', '~', ARGV[7], '*', 'w', ARGV[6], 'd', ARGV[i])
  end
end
return 1
