/** The problem if the Secret Service of Linux can't be reached. */
export const NO_KEYRING = 'no keyring service is running'

/** On Linux, the keyring is a service on the session's D-Bus. */
const WITHOUT_SERVICE =
  /autolaunch|failed to connect to socket|ServiceUnknown|not provided by any|NoReply.*disconnect/i

/** Why the keyring can't be used, in plain words. */
export function keyringProblemText({ name, message }: Error): string {
  if (name === 'TimeoutError') return 'the keyring does not respond'
  return WITHOUT_SERVICE.test(message) ? NO_KEYRING : message
}
