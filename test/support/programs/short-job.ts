// The program of an ingestion that ends at once, with the exit code in EXIT_CODE.

process.stdout.write('loading 3 documents\n')
process.exitCode = Number(process.env['EXIT_CODE'] ?? 0)
