export {
  MachineTokenVerifier,
  withMachineTokens,
  type MachineCaller,
} from './machine-token-verifier.ts'
export { createRemoteVerifier } from './remote-verifier.ts'
export { hashMachineToken, newMachineToken } from './token-format.ts'
