/** The Debian packages of an image with Postgres and a shell for its start script. */
export const POSTGRES_PACKAGES = ['postgresql', 'dash', 'coreutils']

/**
 * Replaces Debian's pg_isready, a Perl program that looks for a Debian cluster, which doesn't exist
 * in an image.
 */
export const PG_ISREADY = '#!/bin/sh\nexec /usr/lib/postgresql/*/bin/pg_isready "$@"\n'

/** Ends connections, and then the server; at SIGTERM it waits until all clients have left. */
export const POSTGRES_STOP = 'SIGINT'
