import type { DescMethod } from '@bufbuild/protobuf'

/** Path that a method's requests are sent to, the same for gRPC and Connect. */
export function methodPath({ parent, name }: DescMethod): string {
  return `/${parent.typeName}/${name}`
}
